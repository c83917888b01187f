// The statements whose OFFSET a scan can take over.
//
// SQLite offers an OFFSET to the scan of an only table, if all conditions are comparisons of its columns. There are
// exceptions, at least in 3.40:
//
//     … WHERE a = b …               the comparison of two columns is not offered to the scan
//     … WHERE (a, b) > (1, 2) …     the comparison of row values is offered as a >= 1
//     … UNION ALL …                 the offset counts the rows of several scans; the first scan would end it
//
// A scan cannot see them. So a scan takes an offset over only if it has as many constraints as its statement has
// comparisons, none of them of row values. The text is not parsed: what looks like a comparison is counted.

/// The comparisons of a statement, by its text.
enum OffsetRule {
    /// Returns the number of comparisons that all have to be constraints of a scan; nil if no scan can take over an
    /// offset.
    static func comparisonCount(in text: String) -> Int? {
        var count = 0
        var isAfterParenthesis = false
        var rest = Array(text.asciiLowercased.utf8)[...]
        while let byte = rest.first {
            let token = rest.prefix { kind(of: $0) == kind(of: byte) }
            rest = rest.dropFirst(token.count)
            switch kind(of: byte) {
            case .space: continue
            case .symbol:
                // A comment can be between a row value and its comparison.
                for (first, second) in zip(token, token.dropFirst()) {
                    if [Array("--".utf8), Array("/*".utf8)].contains([first, second]) { return nil }
                }
                isAfterParenthesis = token.last == UInt8(ascii: ")")
            case .comparison, .word:
                if kind(of: byte) == .word, token.elementsEqual("union".utf8) { return nil }
                if kind(of: byte) == .comparison || words.contains(where: { token.elementsEqual($0.utf8) }) {
                    if isAfterParenthesis { return nil }
                    count += 1
                }
                isAfterParenthesis = false
            }
        }
        return count
    }

    private static let words = ["is", "isnull", "notnull", "in", "between", "like", "glob", "match", "regexp", "not"]

    private enum Kind {
        case space, word, comparison, symbol
    }

    private static func kind(of byte: UInt8) -> Kind {
        switch byte {
        case 0x20, 0x09...0x0D: .space
        case UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"): .comparison
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            .word
        default: .symbol
        }
    }
}
