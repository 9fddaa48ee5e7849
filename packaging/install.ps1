# Installs qortal-mcp @VERSION@ for this user: downloads the program for Windows, checks it, and puts it into a folder.
#
#   QORTAL_MCP_BIN       where the program goes (default: %LOCALAPPDATA%\Programs\qortal-mcp)
#   QORTAL_MCP_DOWNLOAD  where the files of the release are, such as a mirror (default: the project's releases)
& {
  $ErrorActionPreference = 'Stop'
  # The progress bar makes downloads slow in Windows PowerShell.
  $ProgressPreference = 'SilentlyContinue'

  $name = 'qortal-mcp-v@VERSION@-@WINDOWS@'
  $download = if ($env:QORTAL_MCP_DOWNLOAD) { $env:QORTAL_MCP_DOWNLOAD } else { '@DOWNLOAD@' }
  $bin = if ($env:QORTAL_MCP_BIN) { $env:QORTAL_MCP_BIN } else { Join-Path $env:LOCALAPPDATA 'Programs\qortal-mcp' }

  if (-not [Environment]::Is64BitOperatingSystem) { throw 'qortal-mcp: a 64-bit Windows is needed' }
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

  $work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
  New-Item -ItemType Directory -Path $work | Out-Null
  try {
    $zip = Join-Path $work "$name.zip"
    $sums = Join-Path $work 'SHA256SUMS'
    Invoke-WebRequest -UseBasicParsing -Uri "$download/$name.zip" -OutFile $zip
    Invoke-WebRequest -UseBasicParsing -Uri "$download/SHA256SUMS" -OutFile $sums
    $line = Get-Content $sums | Where-Object { $_ -match "^[0-9a-f]{64}  $([regex]::Escape("$name.zip"))$" }
    if (-not $line) { throw "qortal-mcp: SHA256SUMS does not list $name.zip" }
    $found = (Get-FileHash -Algorithm SHA256 $zip).Hash
    if ($found -ne $line.Substring(0, 64)) { throw "qortal-mcp: $name.zip is not what SHA256SUMS says: nothing was installed" }

    Expand-Archive -Path $zip -DestinationPath $work
    New-Item -ItemType Directory -Force -Path $bin | Out-Null
    Copy-Item -Force (Join-Path $work "$name\qortal-mcp.exe") (Join-Path $bin 'qortal-mcp.exe')
  } finally {
    Remove-Item -Recurse -Force $work
  }

  $path = [Environment]::GetEnvironmentVariable('Path', 'User')
  if (($path -split ';') -notcontains $bin) {
    [Environment]::SetEnvironmentVariable('Path', "$path;$bin".TrimStart(';'), 'User')
    $env:Path = "$env:Path;$bin"
  }
  $program = Join-Path $bin 'qortal-mcp.exe'
  Write-Output "Installed $(& $program --version) as $program"
  Write-Output 'Try it without a node:  qortal-mcp call get_node_health --demo'
  Write-Output 'Connect a client:       qortal-mcp install claude-desktop'
}
