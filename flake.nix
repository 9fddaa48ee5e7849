{
  description = "A read-only Model Context Protocol server in front of a Qortal Core node";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      each = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
      manifest = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).workspace.package;
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "qortal-mcp";
          inherit (manifest) version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package=qortal-mcp" ];
          # The tests of the workspace start servers, which the sandbox allows, and need more than the program's sources.
          cargoTestFlags = [ "--package=qortal-mcp" ];
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            installShellCompletion --cmd qortal-mcp \
              --bash <($out/bin/qortal-mcp completions bash) \
              --fish <($out/bin/qortal-mcp completions fish) \
              --zsh <($out/bin/qortal-mcp completions zsh)
          '';
          meta = {
            description = "A read-only Model Context Protocol server in front of a Qortal Core node";
            homepage = manifest.repository;
            license = with pkgs.lib.licenses; [
              mit
              asl20
            ];
            mainProgram = "qortal-mcp";
          };
        };
      });

      devShells = each (pkgs: {
        default = pkgs.mkShell {
          packages = with pkgs; [
            cargo
            clippy
            rustc
            rustfmt
          ];
        };
      });
    };
}
