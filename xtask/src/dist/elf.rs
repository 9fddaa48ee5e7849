//! Whether a program for Linux still has its table of symbols, which only makes a download larger.

/// What an ELF file begins with, when it has 64 bits and its numbers begin with their lowest byte.
const ELF: &[u8] = b"\x7fELF\x02\x01";
/// Where the header says how the table of sections lies in the file, by the specification of ELF: its place, the size of an
/// entry, and how many there are.
const TABLE: usize = 0x28;
const ENTRY: usize = 0x3a;
const ENTRIES: usize = 0x3c;
/// Where an entry says what kind of section it is.
const KIND: usize = 4;
/// The kind that holds all symbols. Those that a loader reads are of another one.
const SYMTAB: u32 = 2;

/// Whether the program has a table of symbols, or why that cannot be read.
pub(super) fn has_table(program: &[u8]) -> Result<bool, &'static str> {
    if !program.starts_with(ELF) {
        return Err("it is not a 64-bit ELF file");
    }
    has_symtab(program).ok_or("its table of sections ends too early")
}

fn has_symtab(program: &[u8]) -> Option<bool> {
    let table = usize::try_from(u64::from_le_bytes(bytes(program, TABLE)?)).ok()?;
    let entry = usize::from(u16::from_le_bytes(bytes(program, ENTRY)?));
    let entries = usize::from(u16::from_le_bytes(bytes(program, ENTRIES)?));
    for number in 0..entries {
        let at = table.checked_add(entry.checked_mul(number)?)?;
        if u32::from_le_bytes(bytes(program, at.checked_add(KIND)?)?) == SYMTAB {
            return Some(true);
        }
    }
    Some(false)
}

fn bytes<const N: usize>(program: &[u8], at: usize) -> Option<[u8; N]> {
    program.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::has_table;

    /// A program of a header and sections of these kinds.
    fn program(kinds: &[u8]) -> Vec<u8> {
        let mut file = b"\x7fELF\x02\x01".to_vec();
        file.resize(64, 0);
        file[0x28] = 64;
        file[0x3a] = 64;
        file[0x3c] = u8::try_from(kinds.len()).unwrap();
        for kind in kinds {
            let mut section = [0; 64];
            section[4] = *kind;
            file.extend(section);
        }
        file
    }

    #[test]
    fn a_table_of_symbols_is_found_and_that_of_the_loader_is_not_one() {
        assert_eq!(has_table(&program(&[0, 1, 3, 2])), Ok(true));
        assert_eq!(has_table(&program(&[0, 1, 3, 11])), Ok(false));
    }

    #[test]
    fn what_is_not_a_whole_program_is_refused() {
        assert_eq!(has_table(b"MZ"), Err("it is not a 64-bit ELF file"));
        let mut cut = program(&[0, 1, 2]);
        cut.truncate(64 + 100);
        assert_eq!(has_table(&cut), Err("its table of sections ends too early"));
    }
}
