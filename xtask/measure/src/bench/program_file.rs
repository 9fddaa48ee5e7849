//! What the file of a program says: how large it is, and whether it has a table of symbols.

use std::fs;
use std::path::Path;

use xtask::failure::Failure;

/// Where an ELF header of 64 bits has the offset of the section headers, their size and their number (`elf(5)`).
const SECTIONS: (usize, usize, usize) = (0x28, 0x3A, 0x3C);
/// The type of a section, behind its name.
const SECTION_TYPE: usize = 4;
/// The type of a table of symbols that only tools read.
const SHT_SYMTAB: u32 = 2;

/// The size of a program in MB.
pub(super) fn megabytes(path: &Path) -> Result<f64, Failure> {
    let size = fs::metadata(path)
        .map_err(Failure::io(path.display()))?
        .len();
    let kilobytes = u32::try_from(size / 1000).map_or(f64::INFINITY, f64::from);
    Ok(kilobytes / 1000.0)
}

/// Whether a program has a table of symbols, which takes room and which a release has not.
pub(super) fn has_symbols(path: &Path) -> Result<bool, Failure> {
    let program = fs::read(path).map_err(Failure::io(path.display()))?;
    Ok(section_types(&program).contains(&SHT_SYMTAB))
}

/// The types of the sections of an ELF file of 64 bits in this machine's order of bytes; none of anything else.
fn section_types(program: &[u8]) -> Vec<u32> {
    let read = || {
        let short = |at: usize| {
            let bytes = program.get(at..at + 2)?.try_into().ok()?;
            Some(usize::from(u16::from_ne_bytes(bytes)))
        };
        let start = program.get(SECTIONS.0..SECTIONS.0 + 8)?.try_into().ok()?;
        let start = usize::try_from(u64::from_ne_bytes(start)).ok()?;
        Some((start, short(SECTIONS.1)?, short(SECTIONS.2)?))
    };
    if !program.starts_with(b"\x7fELF\x02") {
        return Vec::new();
    }
    let Some((start, size, count)) = read() else {
        return Vec::new();
    };
    let types = (0..count).map_while(|section| {
        let at = start.checked_add(section * size + SECTION_TYPE)?;
        let bytes = program.get(at..at.checked_add(4)?)?;
        Some(u32::from_ne_bytes(bytes.try_into().ok()?))
    });
    types.collect()
}

#[cfg(test)]
mod tests {
    use super::{SHT_SYMTAB, section_types};

    /// An ELF file of a header and of section headers with these types.
    fn program(types: &[u32]) -> Vec<u8> {
        let mut program = b"\x7fELF\x02".to_vec();
        program.resize(64, 0);
        program[0x28..0x30].copy_from_slice(&64_u64.to_ne_bytes());
        program[0x3A..0x3C].copy_from_slice(&64_u16.to_ne_bytes());
        let count = u16::try_from(types.len()).unwrap();
        program[0x3C..0x3E].copy_from_slice(&count.to_ne_bytes());
        for kind in types {
            let at = program.len();
            program.resize(at + 64, 0);
            program[at + 4..at + 8].copy_from_slice(&kind.to_ne_bytes());
        }
        program
    }

    #[test]
    fn sections_are_read_as_far_as_there_are_some() {
        let whole = program(&[0, 1, SHT_SYMTAB]);
        assert_eq!(section_types(&whole), [0, 1, SHT_SYMTAB]);
        assert_eq!(section_types(&whole[..150]), [0, 1]);
        assert!(section_types(&whole[..40]).is_empty());
        assert!(section_types(b"MZ").is_empty());
    }
}
