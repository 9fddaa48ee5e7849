//! Every file for operators, validated by the program it is made for.

use std::fs;
use std::process::Command;

use xtask::command::{output, run};
use xtask::{python, tree};

use crate::balancer::Balancer;
use crate::site::{folder, need, path};

const UNIT: &str = "packaging/deb/qortal-mcp.service";
/// The most that `systemd-analyze security` may find, of 10.
const EXPOSURE: f64 = 1.5;
const KUBERNETES: &str = "deploy/kubernetes/qortal-mcp.yaml";
/// Pins what validates it.
const VALIDATOR: &str = "tests/operations/requirements.txt";

#[test]
fn balancers_know_their_files() {
    for balancer in Balancer::ALL {
        balancer.check(&folder("files"));
    }
}

#[test]
fn the_unit_exposes_little() {
    let mut analyze = Command::new(need("systemd-analyze"));
    analyze.args(["security", "--offline=true", "--no-pager"]);
    let said = output(analyze.arg(path(UNIT))).unwrap();
    // As `→ Overall exposure level for qortal-mcp.service: 1.2 OK`.
    let line = said
        .lines()
        .find(|it| it.contains("Overall exposure level"));
    let figure = line.and_then(|it| it.rsplit_once(": ")?.1.split(' ').next());
    let found: f64 = figure.unwrap_or(&said).parse().unwrap();
    assert!(found <= EXPOSURE, "exposure {found}, {EXPOSURE} is allowed");
}

/// As if the program were installed. What systemd does not know it says, and ends well all the same.
#[test]
fn systemd_knows_all_of_the_unit() {
    let text = fs::read_to_string(path(UNIT)).unwrap();
    let unit = folder("files").join("qortal-mcp.service");
    // The program of every system instead of the one that is to be installed, and no manual of it.
    let lines = text.lines().filter(|it| !it.starts_with("Documentation="));
    let lines: Vec<_> = lines.collect();
    let text = lines.join("\n").replace("/usr/bin/qortal-mcp", "/bin/true");
    fs::write(&unit, text).unwrap();
    let mut analyze = Command::new(need("systemd-analyze"));
    let verified = analyze
        .args(["verify", "--man=no"])
        .arg(&unit)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&verified.stderr);
    let is_about_ours = said.lines().any(|it| it.contains("qortal-mcp"));
    assert!(verified.status.success() && !is_about_ours, "{said}");
}

/// Kubernetes mounts no file of a repository, so the manifest has a copy.
#[test]
fn kubernetes_has_the_proxy_of_the_node() {
    let file = fs::read_to_string(path("deploy/haproxy/node.cfg")).unwrap();
    let (_, file) = file.split_once("\nglobal\n").unwrap();
    let indented = file.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("    {line}\n"),
    });
    let expected = format!(
        "  haproxy.cfg: |\n    global\n{}---\n",
        indented.collect::<String>()
    );
    let manifest = fs::read_to_string(path(KUBERNETES)).unwrap();
    assert!(manifest.contains(&expected), "{expected}");
}

#[test]
fn kubernetes_takes_the_manifests() {
    let requirements = tree::root().join(VALIDATOR);
    let python = python::install(&requirements, &folder("files").join("python")).unwrap();
    let validator = python.with_file_name("kubernetes-validate");
    run(Command::new(validator).args(["--strict", &path(KUBERNETES)])).unwrap();
}
