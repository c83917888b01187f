// A string to find in a property: the test of the string filters.
//
// Strings are compared by the bytes of their UTF-8: neither canonical equivalence nor characters matter. Without case,
// both are first made lower case by Swift, scalar by scalar.

import LMDB
import TroveCoding
import TroveText

/// A string to find, and its place in the property.
struct StringPattern: Sendable {
    enum Place: String { case contains, hasPrefix, hasSuffix }

    let place: Place
    let isCaseSensitive: Bool
    private let part: String
    private let bytes: [UInt8]
    /// Whether a text in any case can be searched as it is: the pattern is ASCII.
    private let isPlain: Bool
    /// Whether other characters than ASCII have a letter of the pattern in lower case: `K` for kelvin, and `İ`.
    private let hasOtherForms: Bool

    init(_ place: Place, _ part: String, _ isCaseSensitive: Bool) {
        self.place = place
        self.part = part
        self.isCaseSensitive = isCaseSensitive
        bytes = Array((isCaseSensitive ? part : part.lowercased()).utf8)
        isPlain = !isCaseSensitive && !bytes.isEmpty && bytes.allSatisfy { $0 < 0x80 }
        hasOtherForms = bytes.contains(UInt8(ascii: "k")) || bytes.contains(UInt8(ascii: "i"))
    }

    /// The beginning of all matching strings, byte for byte; nil if they have none in common.
    var prefix: String? { place == .hasPrefix && isCaseSensitive ? part : nil }

    func matches(_ string: String) -> Bool {
        guard isPlain else { return matchesLowercase(string) }
        if ByteView.with(string, matchesPlainly) { return true }
        return hasOtherForms && !string.utf8.allSatisfy { $0 < 0x80 } && matchesLowercase(string)
    }

    /// Returns whether a text has the ASCII pattern, letters in either case.
    private func matchesPlainly(_ text: ByteView) -> Bool {
        ByteView.with(bytes) { part in
            switch place {
            case .hasPrefix: text.has(inAnyCase: part, at: 0)
            case .hasSuffix: text.has(inAnyCase: part, at: text.count - part.count)
            case .contains: text.contains(inAnyCase: part)
            }
        }
    }

    private func matchesLowercase(_ string: String) -> Bool {
        ByteView.with(isCaseSensitive ? string : string.lowercased()) { text in
            ByteView.with(bytes) { part in
                switch place {
                case .hasPrefix: text.has(part, at: 0)
                case .hasSuffix: text.has(part, at: text.count - part.count)
                case .contains: text.contains(part)
                }
            }
        }
    }

    var text: ConditionText {
        let part = part.debugDescription
        return ConditionText(
            "\(place.rawValue) \(part)" + (isCaseSensitive ? ", case-sensitive" : ""), function: ".string",
            arguments: ["\(place.rawValue): \(part)"] + (isCaseSensitive ? ["caseSensitive: true"] : []))
    }

    /// The maximum number of trigrams to make of a pattern.
    private static let trigramLimit = 128

    /// Returns different trigrams, all of which each matching text has in an index; empty if the index cannot tell.
    ///
    /// The index folds scalar by scalar. So a text that contains the pattern, byte for byte, has its trigrams. Without
    /// case that holds as far as the index folds as Swift does.
    ///
    /// - Parameter analyzer: The index's analyzer, which makes trigrams.
    func trigrams(_ analyzer: TextAnalyzer) -> [[UInt8]] {
        guard isCaseSensitive || !analyzer.keepsCase else { return [] }
        return ByteView.with(bytes) { part in
            part.withSpan { part in
                guard isCaseSensitive || TextAnalyzer.knowsCases(of: part) else { return [] }
                return analyzer.differentTerms(of: part, atMost: Self.trigramLimit)
            }
        }
    }
}
