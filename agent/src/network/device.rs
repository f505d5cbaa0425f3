//! Where Burn computes: the processor, or a graphics card where that was built in.

use burn::tensor::Device;

/// The names of devices, as configs spell them.
pub const DEVICES: &[&str] = &["cpu", "wgpu", "cuda"];

/// A device that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoDevice {
    /// Nothing is called so.
    #[error("no device is called `{name}`: expected one of {}", DEVICES.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// It was left out of this program.
    #[error("this program was built without the device `{0}`: build it with `--features {0}`")]
    NotBuilt(&'static str),
    /// It was built in, and this machine does not have it.
    #[error("the device `{name}` does not start on this machine: {problem}")]
    NotStarted {
        /// Its name.
        name: &'static str,
        /// What its driver says.
        problem: String,
    },
}

/// The device of that name.
pub fn device(name: &str) -> Result<Device, NoDevice> {
    match name {
        "cpu" => Ok(Device::flex()),
        "wgpu" => wgpu(),
        "cuda" => cuda(),
        other => Err(NoDevice::Unknown { name: other.to_owned() }),
    }
}

/// Any graphics card, through Vulkan, Metal or DirectX.
#[cfg(feature = "wgpu")]
fn wgpu() -> Result<Device, NoDevice> {
    // Burn starts it once and then refuses.
    static STARTED: std::sync::OnceLock<Result<Device, NoDevice>> = std::sync::OnceLock::new();
    let start = || {
        let started = Device::wgpu_options().init();
        started.map_err(|problem| NoDevice::NotStarted { name: "wgpu", problem: problem.to_string() })
    };
    STARTED.get_or_init(start).clone()
}

#[cfg(not(feature = "wgpu"))]
fn wgpu() -> Result<Device, NoDevice> {
    Err(NoDevice::NotBuilt("wgpu"))
}

/// The first card of Nvidia's.
#[cfg(feature = "cuda")]
fn cuda() -> Result<Device, NoDevice> {
    Ok(Device::cuda(0))
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> Result<Device, NoDevice> {
    Err(NoDevice::NotBuilt("cuda"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_always_there() {
        assert_eq!(device("cpu"), Ok(Device::flex()));
    }

    #[test]
    fn what_nothing_is_called_is_refused_with_what_there_is() {
        let refused = device("gpu").unwrap_err().to_string();
        assert_eq!(refused, "no device is called `gpu`: expected one of cpu, wgpu, cuda");
    }

    #[test]
    #[cfg(not(feature = "wgpu"))]
    fn a_device_that_was_not_built_in_says_how_to_build_it() {
        let refused = device("wgpu").unwrap_err().to_string();
        assert_eq!(
            refused,
            "this program was built without the device `wgpu`: build it with `--features wgpu`"
        );
    }
}
