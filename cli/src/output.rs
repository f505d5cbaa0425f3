//! Where words and records go.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use nodarium_env::Paint;

/// A file that appears under its name only when it is whole: until then it is `NAME.partial`, and an error removes it.
///
/// A link is followed: the file that it names is replaced, not the link. What is no file (a pipe, `/dev/stdout`) is
/// written straight into.
pub struct WholeFile {
    writer: Option<BufWriter<File>>,
    /// Where the bytes stand until the end, and the file that they then become; `None` where they went straight in.
    renamed: Option<(PathBuf, PathBuf)>,
    /// The name that was asked for.
    path: PathBuf,
}

impl WholeFile {
    pub fn create(path: &Path) -> anyhow::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let renamed = match fs::metadata(&target) {
            Ok(there) if there.is_dir() => bail!("cannot write {}: it is a folder", path.display()),
            Ok(there) if !there.is_file() => None,
            _ => {
                let mut partial = target.as_os_str().to_owned();
                partial.push(".partial");
                Some((PathBuf::from(partial), target))
            }
        };
        let (opened, name) = match &renamed {
            Some((partial, _)) => (File::create(partial), partial.as_path()),
            None => (OpenOptions::new().write(true).open(path), path),
        };
        let file = opened.with_context(|| format!("cannot write {}", name.display()))?;
        Ok(Self { writer: Some(BufWriter::with_capacity(1 << 20, file)), renamed, path: path.to_owned() })
    }

    /// Makes sure that everything is on disk, then gives the file its name.
    pub fn finish(mut self) -> anyhow::Result<()> {
        let mut writer = self.writer.take().expect("a file is finished once");
        let flushed = writer.flush();
        let finished = match &self.renamed {
            Some((partial, target)) => flushed
                .and_then(|()| writer.get_ref().sync_all())
                .and_then(|()| fs::rename(partial, target))
                .inspect_err(|_| self.discard()),
            None => flushed,
        };
        finished.with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn discard(&self) {
        if let Some((partial, _)) = &self.renamed {
            let _ = fs::remove_file(partial);
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().expect("an unfinished file").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().expect("an unfinished file").flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // Dropped before it was finished: what is buffered would only make a longer fragment.
            drop(writer.into_parts());
            self.discard();
        }
    }
}

/// Where records go.
pub enum Records {
    File(WholeFile),
    Standard(BufWriter<Stdout>),
    Nowhere,
}

impl Records {
    /// `-` and, where nobody would have to read it, nothing at all mean standard output.
    pub fn open(out: Option<&Path>) -> anyhow::Result<Self> {
        match out {
            Some(path) if path != Path::new("-") => WholeFile::create(path).map(Self::File),
            None if io::stdout().is_terminal() => Ok(Self::Nowhere),
            _ => Ok(Self::Standard(BufWriter::new(io::stdout()))),
        }
    }

    pub fn write_line(&mut self, line: &str) -> anyhow::Result<()> {
        let (writer, name): (&mut dyn Write, _) = match self {
            Self::File(file) => {
                let name = file.path.display().to_string();
                (file, name)
            }
            Self::Standard(writer) => (writer, "standard output".to_owned()),
            Self::Nowhere => return Ok(()),
        };
        writer
            .write_all(line.as_bytes())
            .and_then(|()| writer.write_all(b"\n"))
            .with_context(|| format!("cannot write {name}"))
    }

    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::File(file) => file.finish(),
            Self::Standard(mut writer) => writer.flush().context("cannot write standard output"),
            Self::Nowhere => Ok(()),
        }
    }
}

/// Whether the error only says that whoever read our output has seen enough (`nodarium … | head`).
pub fn reader_has_left(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints to standard output; unlike `println!` it does not panic when nobody reads.
pub fn say(text: &str) -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{text}").context("cannot write standard output")
}

/// Colour where the reader is a person who has not asked for none.
pub fn paint() -> Paint {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if io::stdout().is_terminal() && !plain { Paint::Colour } else { Paint::Plain }
}

/// A bar on standard error that shows itself only in a terminal and only for work that takes a moment.
pub fn progress(total: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} games, {per_sec}, {eta} left")
            .expect("the template is well formed");
    let bar = ProgressBar::new(total).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
