//! Archives whose bytes depend on nothing but what is in them: sorted, with one time and one owner.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use rawzip::{CompressionMethod, ZipArchiveWriter};
use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// A file to be packed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    /// With `/`, from the root of the archive.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_program: bool,
}

impl Entry {
    pub(crate) fn file(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            bytes: bytes.into(),
            is_program: false,
        }
    }

    pub(crate) fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            is_program: true,
            ..Self::file(path, bytes)
        }
    }

    const fn mode(&self) -> u32 {
        match self.is_program {
            true => 0o755,
            false => 0o644,
        }
    }
}

/// A tar archive of `entries`, dated `epoch` in seconds since 1970.
pub(crate) fn tar(entries: &[Entry], epoch: u64) -> Result<Vec<u8>, Failure> {
    let mut archive = tar::Builder::new(Vec::new());
    for entry in sorted(entries) {
        let mut header = tar::Header::new_ustar();
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(entry.mode());
        header.set_mtime(epoch);
        header.set_uid(0);
        header.set_gid(0);
        archive
            .append_data(&mut header, &entry.path, &*entry.bytes)
            .map_err(Failure::io(&entry.path))?;
    }
    archive.into_inner().map_err(Failure::io("a tar archive"))
}

/// The same, compressed.
pub(crate) fn tar_gz(entries: &[Entry], epoch: u64) -> Result<Vec<u8>, Failure> {
    gzip(&tar(entries, epoch)?, Compression::default())
}

/// `bytes` compressed, with no time and no name in the header.
pub(crate) fn gzip(bytes: &[u8], level: Compression) -> Result<Vec<u8>, Failure> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map_err(Failure::io("a gzip file"))
}

/// A zip archive of `entries`, without times.
pub(crate) fn zip(entries: &[Entry]) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut out);
    for entry in sorted(entries) {
        let unreadable = |why: rawzip::Error| Failure::unreadable(&entry.path, why);
        let (mut file, config) = archive
            .new_file(&*entry.path)
            .compression_method(CompressionMethod::DEFLATE)
            // With the type of a file, which some programs look for.
            .unix_permissions(0o100_000 | entry.mode())
            .start()
            .map_err(unreadable)?;
        let mut data = config.wrap(DeflateEncoder::new(&mut file, Compression::default()));
        data.write_all(&entry.bytes)
            .map_err(Failure::io(&entry.path))?;
        let (encoder, descriptor) = data.finish().map_err(unreadable)?;
        encoder.finish().map_err(Failure::io(&entry.path))?;
        file.finish(descriptor).map_err(unreadable)?;
    }
    let finished = archive.finish();
    finished.map_err(|why| Failure::unreadable("a zip archive", why))?;
    Ok(out)
}

/// The SHA-256 of `bytes`, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sorted(entries: &[Entry]) -> Vec<&Entry> {
    let mut sorted: Vec<_> = entries.iter().collect();
    sorted.sort();
    sorted
}

#[cfg(test)]
mod tests {
    use super::{Entry, sha256, tar_gz, zip};

    #[test]
    fn the_same_files_make_the_same_archive_in_any_order() {
        let mut files = [
            Entry::program("b/program", *b"1"),
            Entry::file("a.txt", *b"2"),
        ];
        let made = (tar_gz(&files, 1).unwrap(), zip(&files).unwrap());
        files.reverse();
        assert_eq!((tar_gz(&files, 1).unwrap(), zip(&files).unwrap()), made);
        assert_ne!(tar_gz(&files, 2).unwrap(), made.0);
    }

    #[test]
    fn a_zip_archive_holds_what_was_packed() {
        let made = zip(&[Entry::program("b", *b"22"), Entry::file("a", *b"1")]).unwrap();
        let archive = rawzip::ZipArchive::from_slice(&made).unwrap();
        let mut entries = archive.entries();
        let mut found = Vec::new();
        while let Some(entry) = entries.next_entry().unwrap() {
            let path = entry.file_path().try_normalize().unwrap();
            let mode = entry.mode().permissions();
            found.push((
                path.as_ref().to_owned(),
                entry.uncompressed_size_hint(),
                mode & 0o777,
            ));
        }
        let expected = [("a".to_owned(), 1, 0o644), ("b".to_owned(), 2, 0o755)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_checksum_is_that_of_sha256sum() {
        // RFC 6234, section 8.5, TEST1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), expected);
    }
}
