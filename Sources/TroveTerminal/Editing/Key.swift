// Keys, and the bytes that a terminal sends for them.
//
//     text            UTF-8
//     Ctrl-A          01            letters up to Ctrl-Z; Tab is Ctrl-I, Enter is Ctrl-M or Ctrl-J
//     backspace       7F, or 08
//     arrows          ESC [ A … D, or ESC O A … D; with Ctrl or Alt: ESC [ 1 ; 5 C
//     home, end       ESC [ H, ESC [ F, or ESC [ 1 ~, ESC [ 4 ~, and other numbers
//     Alt-B           ESC b
//     pasted text     ESC [ 200 ~ … ESC [ 201 ~

/// A key, or a pasted text.
package enum Key: Hashable, Sendable {
    case text(String)
    /// A letter with Ctrl, in lower case.
    case control(Character)
    case enter, tab, backspace, delete, left, right, up, down, home, end
    case wordLeft, wordRight, deleteWordLeft, deleteWordRight
    /// A key that has no meaning here.
    case other
}

/// The parser of the bytes of a terminal.
package struct KeyParser: Sendable {
    private enum State {
        case start, escape, control, function
    }

    private var state = State.start
    private var bytes: [UInt8] = []
    private var isPasting = false
    /// The greatest number of bytes of a sequence that is remembered.
    private static let limit = 32

    /// Creates a parser at the beginning of a key.
    package init() {}

    /// Takes a byte. Returns the key that it completes.
    package mutating func key(_ byte: UInt8) -> Key? {
        switch state {
        case .start: return start(byte)
        case .escape: return escape(byte)
        case .function:
            state = .start
            return Self.letters[byte] ?? .other
        case .control: return control(byte)
        }
    }

    private mutating func start(_ byte: UInt8) -> Key? {
        guard bytes.isEmpty, byte < 0x80 else { return unicode(byte) }
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case 0x0D, 0x0A: return .enter
        // In a pasted text, a tab is space.
        case 0x09: return isPasting ? .text(" ") : .tab
        case 0x7F, 0x08: return .backspace
        case 0x01...0x1A: return isPasting ? .other : .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x20...0x7E: return .text(String(Unicode.Scalar(byte)))
        default: return .other
        }
    }

    /// Collects the bytes of a character.
    private mutating func unicode(_ byte: UInt8) -> Key? {
        if byte < 0x80 || byte >= 0xC0, !bytes.isEmpty {
            // The character before is cut.
            bytes = []
            return start(byte)
        }
        bytes.append(byte)
        let size = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : bytes[0] >= 0xC0 ? 2 : 1
        guard bytes.count >= size else { return nil }
        defer { bytes = [] }
        guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.allSatisfy(\.isPrintable) else {
            return .other
        }
        return .text(text)
    }

    private mutating func escape(_ byte: UInt8) -> Key? {
        state = .start
        switch byte {
        case UInt8(ascii: "["): state = .control
        case UInt8(ascii: "O"): state = .function
        case UInt8(ascii: "b"), UInt8(ascii: "B"): return .wordLeft
        case UInt8(ascii: "f"), UInt8(ascii: "F"): return .wordRight
        case UInt8(ascii: "d"), UInt8(ascii: "D"): return .deleteWordRight
        case 0x7F, 0x08: return .deleteWordLeft
        case 0x1B: state = .escape
        default: return .other
        }
        return nil
    }

    private mutating func control(_ byte: UInt8) -> Key? {
        guard (0x40...0x7E).contains(byte) else {
            // Numbers between semicolons. Other bytes end a sequence that is none.
            guard (0x20...0x3F).contains(byte), bytes.count < Self.limit else {
                (state, bytes) = (.start, [])
                return .other
            }
            bytes.append(byte)
            return nil
        }
        let numbers = String(decoding: bytes, as: UTF8.self)
        (state, bytes) = (.start, [])
        guard byte == UInt8(ascii: "~") else {
            guard numbers.hasPrefix("1;"), !numbers.hasSuffix(";2") else { return Self.letters[byte] ?? .other }
            return byte == UInt8(ascii: "C") ? .wordRight : byte == UInt8(ascii: "D") ? .wordLeft : .other
        }
        switch numbers {
        case "1", "7": return .home
        case "4", "8": return .end
        case "3": return .delete
        case "3;5", "3;3": return .deleteWordRight
        case "200": isPasting = true
        case "201": isPasting = false
        default: return .other
        }
        return nil
    }

    private static let letters: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    ]
}

extension Unicode.Scalar {
    /// Whether a terminal shows the scalar, and does not execute it.
    var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}
