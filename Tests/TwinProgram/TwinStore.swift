// JSON and CSV that a store loads and dumps, and the plans and results of queries.

import Foundation
import Trove
import TroveTestSupport

/// A record with a property of most kinds, and indexes.
@IndexKeyRecord("id")
struct TwinSight: Hashable {
    #Index<TwinSight>(\.kind, \.level.desc)
    #Index<TwinSight>(\.score)
    #Index<TwinSight>(\.tags.each)

    let id: Int
    var kind: String
    var level: Int?
    var score: Double
    var tags: [String]
    var seen: Date?
    var isOpen: Bool
}

/// A record whose properties fit into the columns of a CSV.
@IndexKeyRecord("id")
struct TwinRow: Hashable {
    let id: Int
    var kind: String
    var level: Int?
    var score: Double
    var seen: Date?
    var isOpen: Bool
}

enum TwinStore {
    /// Returns the topics, all of which use a store of their own.
    static func topics() throws -> [TwinTopic] {
        let loaded = try Store.temporary(records: [TwinSight.self, TwinRow.self])
        try loaded.insert(sight(0))
        try loaded.insert(TwinRow(id: 0, kind: "", level: nil, score: 0, seen: nil, isOpen: false))
        let queried = try Store.temporary(records: [TwinSight.self])
        try queried.insert(contentsOf: (0..<200).map(sight))
        return [
            TwinTopic(name: "json", share: 5) { generator in
                try load([json(using: &generator)], .json, TwinSight.self, into: loaded)
            },
            TwinTopic(name: "csv", share: 5) { generator in
                try load(
                    ["id,kind,level,score,seen,isOpen", csv(using: &generator)], .csv, TwinRow.self, into: loaded)
            },
            TwinTopic(name: "plan", share: 5) { generator in
                var query = TwinSight.filter(filter(depth: 3, using: &generator))
                switch generator.next() % 4 {
                case 0: query = query.sorted(by: \.kind, \.id.desc)
                case 1: query = query.sorted(by: \.score.desc)
                default: break
                }
                if generator.next() & 1 == 0 { query = query.limit(Int(generator.next() % 20)) }
                return """
                    \(query): \(try query.explain(in: queried)) \(try query.keys(in: queried)) \
                    \(try query.sum(of: \.score).resolve(in: queried))
                    """
            },
        ]
    }

    private static func sight(_ number: Int) -> TwinSight {
        TwinSight(
            id: number, kind: ["bridge", "tower", "café", ""][number % 4], level: number % 5 == 0 ? nil : number % 7,
            score: Double(number * 37 % 100) / 8, tags: (0..<number % 3).map { "t\($0)" },
            seen: number % 3 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.5),
            isOpen: number % 2 == 0)
    }

    // MARK: Loads

    /// Loads lines, and returns the report or the error, and all records of the type.
    private static func load<Record: IndexKeyRecord>(
        _ lines: [String], _ format: Store.LoadFormat, _ type: Record.Type, into store: Store
    ) throws -> String {
        var rest = lines[...]
        let result: String
        do {
            result = "\(try store.load(format, onConflict: .replace, type: "\(type)") { rest.popFirst() })"
        } catch {
            result = "\(error)"
        }
        var dumped: [String] = []
        try store.read { context in
            let types = try context.storedTypes().filter { $0.name.hasSuffix(".\(type)") }
            try context.forEachDumpLine(of: types) { line in dumped.append(line) }
        }
        return "\(lines.last ?? ""): \(result) \(dumped.suffix(9))"
    }

    private static func json(using generator: inout SeededGenerator) -> String {
        mutated(
            """
            {"id":\(generator.next() % 9),"kind":"\(TwinTexts.words(using: &generator).replacing("\"", with: "\\\""))",\
            "level":\(generator.next() % 3 == 0 ? "null" : "\(generator.next() % 100)"),\
            "score":\(Double(generator.next() % 10_000) / 64),"tags":["a","\\u00e9"],\
            "seen":"2026-11-\(10 + generator.next() % 20)T10:00:00.\(generator.next() % 1_000)Z","isOpen":true}
            """, using: &generator)
    }

    private static func csv(using generator: inout SeededGenerator) -> String {
        mutated(
            """
            \(generator.next() % 9),"\(TwinTexts.words(using: &generator).replacing("\"", with: "\"\""))",\
            \(generator.next() % 3 == 0 ? "" : "\(generator.next() % 100)"),\(Double(generator.next() % 10_000) / 64),\
            2026-11-\(10 + generator.next() % 20)T10:00:00Z,false
            """, using: &generator)
    }

    /// Changes a byte of one text in two.
    private static func mutated(_ text: String, using generator: inout SeededGenerator) -> String {
        guard generator.next() & 1 == 0 else { return text }
        var scalars = Array(text.unicodeScalars)
        let place = Int(generator.next() % UInt64(scalars.count))
        let signs = Array("\"\\{}[],:0e-.nT Z\u{0}é".unicodeScalars)
        scalars[place] = signs[Int(generator.next() % UInt64(signs.count))]
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars)
        return String(result)
    }

    // MARK: Queries

    private static func filter(depth: Int, using generator: inout SeededGenerator) -> Filter<TwinSight> {
        if depth > 0 {
            func next() -> Filter<TwinSight> { filter(depth: depth - 1, using: &generator) }
            switch generator.next() % 5 {
            case 0: return next() && next()
            case 1: return next() || next()
            case 2: return !next()
            default: break
            }
        }
        let number = Int(generator.next() % 10)
        switch generator.next() % 8 {
        case 0: return \.id < number * 20
        case 1: return \.kind == ["bridge", "tower", "café", "none"][number % 4]
        case 2: return \.level >= number
        case 3: return \.level == (number < 3 ? nil : number)
        case 4: return \.score > Double(number) * 1.5
        case 5: return .contains(\.tags, "t\(number % 3)")
        case 6: return \.seen < Date(timeIntervalSinceReferenceDate: Double(number) * 1e6)
        default: return \.isOpen == (number < 5)
        }
    }
}
