//! What a program for Linux must be to be released: without its table of symbols, and at an address that no attacker knows.

/// What an ELF file begins with, when it has 64 bits and its numbers begin with their lowest byte.
const ELF: &[u8] = b"\x7fELF\x02\x01";
/// Where the header says what kind of file it is.
const TYPE: usize = 0x10;
/// The kind that the loader may put anywhere.
const DYN: u16 = 3;
/// Where the header says how the table of sections lies in the file, by the specification of ELF: its place, the size of an
/// entry, and how many there are.
const TABLE: usize = 0x28;
const ENTRY: usize = 0x3a;
const ENTRIES: usize = 0x3c;
/// Where an entry says what kind of section it is.
const SECTION_TYPE: usize = 4;
/// The kind that holds all symbols. Those that a loader reads are of another one.
const SYMTAB: u32 = 2;

/// What keeps the program from being released, as words after its name.
pub(super) fn refusal(program: &[u8]) -> Option<&'static str> {
    if !program.starts_with(ELF) {
        return Some("is not a 64-bit ELF file");
    }
    match (has_symtab(program), is_independent(program)) {
        (None, _) | (_, None) => Some("ends within its header or its table of sections"),
        (Some(true), _) => Some("has a table of symbols"),
        (_, Some(false)) => Some("is not position-independent"),
        (Some(false), Some(true)) => None,
    }
}

fn is_independent(program: &[u8]) -> Option<bool> {
    Some(u16::from_le_bytes(bytes(program, TYPE)?) == DYN)
}

fn has_symtab(program: &[u8]) -> Option<bool> {
    let table = usize::try_from(u64::from_le_bytes(bytes(program, TABLE)?)).ok()?;
    let entry = usize::from(u16::from_le_bytes(bytes(program, ENTRY)?));
    let entries = usize::from(u16::from_le_bytes(bytes(program, ENTRIES)?));
    for number in 0..entries {
        let at = table.checked_add(entry.checked_mul(number)?)?;
        let kind = bytes(program, at.checked_add(SECTION_TYPE)?)?;
        if u32::from_le_bytes(kind) == SYMTAB {
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
    use super::refusal;

    const EXEC: u8 = 2;
    const DYN: u8 = 3;

    /// A file of a header and sections of these kinds.
    fn program(kind: u8, sections: &[u8]) -> Vec<u8> {
        let mut file = b"\x7fELF\x02\x01".to_vec();
        file.resize(64, 0);
        file[0x10] = kind;
        file[0x28] = 64;
        file[0x3a] = 64;
        file[0x3c] = u8::try_from(sections.len()).unwrap();
        for section in sections {
            let mut entry = [0; 64];
            entry[4] = *section;
            file.extend(entry);
        }
        file
    }

    #[test]
    fn the_symbols_of_the_loader_may_stay_and_the_table_of_all_may_not() {
        assert_eq!(refusal(&program(DYN, &[0, 1, 3, 11])), None);
        let with_all = program(DYN, &[0, 1, 3, 2]);
        assert_eq!(refusal(&with_all), Some("has a table of symbols"));
    }

    #[test]
    fn a_program_of_a_fixed_address_is_refused() {
        let fixed = program(EXEC, &[0, 1]);
        assert_eq!(refusal(&fixed), Some("is not position-independent"));
    }

    #[test]
    fn what_is_not_a_whole_program_is_refused() {
        assert_eq!(refusal(b"MZ"), Some("is not a 64-bit ELF file"));
        let mut cut = program(DYN, &[0, 1, 2]);
        cut.truncate(64 + 100);
        let expected = Some("ends within its header or its table of sections");
        assert_eq!(refusal(&cut), expected);
        assert_eq!(refusal(b"\x7fELF\x02\x01"), expected);
    }
}
