class QortalMcp < Formula
  desc "Read-only Model Context Protocol server in front of a Qortal Core node"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@DOWNLOAD@/qortal-mcp-v@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SUM_AARCH64_APPLE_DARWIN@"
    end
    on_intel do
      url "@DOWNLOAD@/qortal-mcp-v@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SUM_X86_64_APPLE_DARWIN@"
    end
  end

  on_linux do
    on_arm do
      url "@DOWNLOAD@/qortal-mcp-v@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SUM_AARCH64_UNKNOWN_LINUX_MUSL@"
    end
    on_intel do
      url "@DOWNLOAD@/qortal-mcp-v@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SUM_X86_64_UNKNOWN_LINUX_MUSL@"
    end
  end

  def install
    bin.install "qortal-mcp", "mcp-convert"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/qortal-mcp.bash" => "qortal-mcp"
    fish_completion.install "completions/qortal-mcp.fish"
    zsh_completion.install "completions/_qortal-mcp"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/qortal-mcp --version")
    assert_match "height", shell_output("#{bin}/qortal-mcp call get_node_health --demo")
  end
end
