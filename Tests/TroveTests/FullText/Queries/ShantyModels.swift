// Records with texts beside other properties, random queries of them, and what these find in an array.

import Foundation
import TroveTestSupport

@testable import Trove

@IndexKeyRecord(keyPrefix: 6_600_001, "port", "id")
struct Shanty: Hashable {
    #FullTextIndex<Shanty>(\.title, \.verses, weights: [2, 1])
    #FullTextIndex<Shanty>(\.verses, keepsOrder: false, where: { $0.year > 4 })
    #Index<Shanty>(\.year)
    #Index<Shanty>(\.crew, \.year.desc)

    let port: String
    let id: Int
    var title: String?
    var verses: [String]
    var year: Int
    var crew: Int

    /// The name of the second index.
    static let lateIndex = "fullText(verses where { $0.year > 4 })"
}

/// The same type without indexes.
@IndexKeyRecord(keyPrefix: 6_600_001, "port", "id")
struct BareShanty: Hashable {
    let port: String
    let id: Int
    var title: String?
    var verses: [String]
    var year: Int
    var crew: Int

    init(_ shanty: Shanty) {
        (port, id, title, verses) = (shanty.port, shanty.id, shanty.title, shanty.verses)
        (year, crew) = (shanty.year, shanty.crew)
    }
}

extension Shanty {
    private static let words = ["the", "cat", "Über", "fox", "東京都", "can't", "sat", "on", "mat", "quick", "catch"]

    static func random(_ id: Int, _ random: inout SeededGenerator) -> Shanty {
        func text() -> String {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in
                let skewed = Double.random(in: 0..<1, using: &random)
                return words[Int(Double(words.count) * skewed * skewed)]
            }.joined(separator: " ")
        }
        return Shanty(
            port: ["Bergen", "Hull", "Oslo"].randomElement(using: &random)!, id: id,
            title: Bool.random(using: &random) ? text() : nil,
            verses: (0..<Int.random(in: 0...3, using: &random)).map { _ in text() },
            year: Int.random(in: 0...9, using: &random), crew: Int.random(in: 0...3, using: &random))
    }

    /// The key as text.
    var place: String { "\(port) \(id)" }

    static func samples(_ count: Int, _ random: inout SeededGenerator) -> [Shanty] {
        (0..<count).map { Self.random($0, &random) }
    }
}

extension TextQuery<Shanty> {
    private static let typed: [TextQuery] = [
        "the", "cat", "uber fox", "\"the cat\"", "sat OR mat -quick", "ca*", "\"the ca*\"", "東京", "京", "can't", "zzz",
        "", "-the", "(the OR cat) mat^3", "title:the", "verses:(cat sat)", "title:the verses:cat", "\"the fox\"~2",
        "cta~", "quikc~ mat~1", "caths~2 OR hte~", "-catch~", "title:foxx~", "übre~^3 cat",
        .fuzzy("hte", anyFirstLetter: true),
        .fuzzy("cam't"), .fuzzy("mats", edits: 2).within(\.verses),
    ]

    /// Returns a random query.
    ///
    /// - Parameter isSimple: Whether it has neither phrases nor properties.
    static func random(isSimple: Bool = false, _ random: inout SeededGenerator) -> TextQuery {
        if isSimple {
            return ["the", "cat", "sat OR mat -quick", "ca*", "-the", "fox", "caths~2"].randomElement(using: &random)!
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .near("cat the", within: 2)
        case 1: return .phrase("the", atStart: true)
        case 2: return .word("the").preferring(.word("mat"))
        case 3: return .any(typed.randomElement(using: &random)!, typed.randomElement(using: &random)!)
        case 4: return .all(typed.randomElement(using: &random)!, .prefix("t"))
        default: return typed.randomElement(using: &random)!
        }
    }
}
