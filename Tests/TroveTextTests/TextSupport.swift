// Short ways to say what an analyzer does, for the tests of this folder.

import Foundation
import Testing

@testable import TroveText

extension TextAnalyzer {
    /// The terms of a text.
    func terms(_ text: String) -> [String] { tokens(of: text).map(\.term) }

    /// The terms and places of UTF-8 bytes, as an index receives them.
    func visited(_ bytes: [UInt8]) -> [VisitedToken] {
        var result: [VisitedToken] = []
        bytes.withRawSpan(of: 0..<bytes.count) { text in
            _ = visitTokens(in: text) { result.append(VisitedToken($0, $1)) }
        }
        return result
    }
}

/// A copy of a token that an index receives.
struct VisitedToken: Equatable, CustomStringConvertible {
    var term: [UInt8]
    var place: TokenPlace

    init(_ term: RawSpan, _ place: TokenPlace) {
        self.term = []
        self.term.append(term)
        self.place = place
    }

    var description: String { "\(String(decoding: term, as: UTF8.self)) \(place)" }
}

/// The files of `Unicode`, which `scripts/update-unicode` writes.
enum UnicodeTestFile {
    /// Returns the lines of a file.
    static func lines(_ name: String) throws -> [Substring] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Unicode")
        return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).split(separator: "\n")
    }

    /// Returns the text of scalars such as `0061 0308`.
    static func text(_ scalars: some StringProtocol) -> String {
        var text = String.UnicodeScalarView()
        for scalar in scalars.split(separator: " ") {
            if let value = UInt32(scalar, radix: 16).flatMap(Unicode.Scalar.init) { text.append(value) }
        }
        return String(text)
    }
}
