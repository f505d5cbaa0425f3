//! The folder of a report: there whole, or not at all.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use nodarium_eval::report::{Report, page, plots};

/// The file by which an earlier report is known.
const MARK: &str = "report.json";

/// A place that may take a report.
pub struct ReportFolder {
    path: PathBuf,
    /// Where it is written before it has its name.
    partial: PathBuf,
}

impl ReportFolder {
    /// Refuses a place that holds something, before anything is played.
    pub fn prepare(path: &Path, force: bool) -> anyhow::Result<Self> {
        let shown = path.display();
        let name = path.file_name().ok_or_else(|| anyhow!("--out {shown}: expected a folder with a name"))?;
        if path.exists() && !force {
            bail!(
                "--out {shown} exists already: choose another folder, or replace the report there with --force"
            );
        }
        let empty = || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
        if path.exists() && !path.join(MARK).is_file() && !empty() {
            bail!("--out {shown} holds no report that --force could replace: expected {MARK} in it");
        }
        let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        // Two evaluations that are to end in the same place must not lose each other's games.
        hidden.push(format!(".{}.partial", std::process::id()));
        let folder = Self { path: path.to_owned(), partial: above.join(hidden) };
        let cannot = || format!("cannot write {shown}");
        if folder.partial.exists() {
            fs::remove_dir_all(&folder.partial).with_context(cannot)?;
        }
        fs::create_dir_all(&folder.partial).with_context(cannot)?;
        Ok(folder)
    }

    /// Writes the report and gives the folder its name.
    pub fn write(self, report: &Report) -> anyhow::Result<PathBuf> {
        let written = self.files(report).and_then(|()| self.rename());
        written.with_context(|| format!("cannot write {}", self.path.display()))?;
        Ok(self.path.clone())
    }

    fn files(&self, report: &Report) -> anyhow::Result<()> {
        let write = |name: &str, text: &str| -> std::io::Result<()> {
            let mut file = File::create(self.partial.join(name))?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        write("report.html", &page(report))?;
        for (name, picture) in plots(report) {
            write(&format!("{name}.svg"), &picture)?;
        }
        write(MARK, &report.to_json())?;
        Ok(())
    }

    fn rename(&self) -> anyhow::Result<()> {
        let old = self.partial.with_extension("old");
        let replaced = self.path.exists();
        if replaced {
            fs::rename(&self.path, &old)?;
        }
        if let Err(error) = fs::rename(&self.partial, &self.path) {
            if replaced {
                let _ = fs::rename(&old, &self.path);
            }
            return Err(error.into());
        }
        if replaced {
            fs::remove_dir_all(&old)?;
        }
        Ok(())
    }
}

impl Drop for ReportFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.partial);
    }
}
