// The bounds of characters in UTF-8.

/// A finder of the bounds of characters, for offsets that never move back.
///
/// Between two ASCII bytes there is a bound, except in CR LF. Only around other bytes are characters looked for, each
/// once.
struct CharacterBounds {
    private let text: String
    private let bytes: [UInt8]
    /// The last character that was found.
    private var character = 0..<0

    /// - Parameters:
    ///   - text: A text in contiguous UTF-8.
    ///   - bytes: The bytes of the text.
    init(_ text: String, _ bytes: [UInt8]) {
        self.text = text
        self.bytes = bytes
    }

    /// Returns a range whose bounds are moved apart to the bounds of characters.
    mutating func widened(_ range: Range<Int>) -> Range<Int> {
        let start = lower(range.lowerBound)
        return start..<max(start, upper(range.upperBound))
    }

    /// Returns the last bound that is not after an offset.
    mutating func lower(_ offset: Int) -> Int {
        if isPlain(offset) { return offset }
        find(offset)
        return character.lowerBound
    }

    /// Returns the first bound that is not before an offset.
    mutating func upper(_ offset: Int) -> Int {
        if isPlain(offset) { return offset }
        find(offset)
        return character.lowerBound == offset ? offset : character.upperBound
    }

    /// Returns whether a bound is known without looking at characters.
    private func isPlain(_ offset: Int) -> Bool {
        guard offset > 0, offset < bytes.count else { return true }
        let (last, next) = (bytes[offset - 1], bytes[offset])
        return last < 0x80 && next < 0x80 && !(last == 0x0D && next == 0x0A)
    }

    /// Moves to the character at an offset.
    private mutating func find(_ offset: Int) {
        guard offset >= character.upperBound else { return }
        var start = offset
        while start > character.upperBound, !isPlain(start) { start -= 1 }
        var lower = text.utf8.index(text.startIndex, offsetBy: start)
        while true {
            let upper = text.index(after: lower)
            let end = start + text.utf8.distance(from: lower, to: upper)
            if end > offset {
                character = start..<end
                return
            }
            (start, lower) = (end, upper)
        }
    }
}
