// Tests of the parsers of dates and decimal numbers: they accept the same texts as a regular expression of the grammar.

import Foundation
import Testing
import TroveTestSupport

@testable import TroveCoding

@Suite("Parsers of texts") struct TextParserTests {
    // MARK: The grammar as regular expressions

    private static func isDecimal(_ text: String) -> Bool {
        text == "NaN" || text.wholeMatch(of: /[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
    }

    private static func seconds(_ text: String) -> Double? {
        let pattern =
            /([-+][0-9]{6}|[0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(.+)/
        guard let parts = text.wholeMatch(of: pattern)?.output, parts.1 != "-000000",
            let year = Int(parts.1), let month = Int(parts.2), let dayOfMonth = Int(parts.3),
            let hour = Int(parts.4), let minute = Int(parts.5), let second = Int(parts.6),
            hour < 24, minute < 60, second < 60, let offset = offset(parts.8)
        else { return nil }
        let day = GregorianDay(year: year, month: month, day: dayOfMonth)
        guard GregorianDay(number: day.number) == day else { return nil }
        let whole = day.number * 86_400 + hour * 3600 + minute * 60 + second - offset
        let digits = String(parts.7 ?? "")
        guard whole < 0, digits.contains(where: { $0 != "0" }) else { return Double("\(whole).\(digits)0") }
        return Double("-\(-(whole + 1)).\(complement(digits))")
    }

    private static func offset(_ text: Substring) -> Int? {
        if text == "Z" { return 0 }
        guard let parts = text.wholeMatch(of: /([-+])([0-9]{2}):?([0-9]{2})/)?.output, let hours = Int(parts.2),
            let minutes = Int(parts.3), hours < 24, minutes < 60
        else { return nil }
        return (parts.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func complement(_ digits: String) -> String {
        let kept = digits.prefix(through: digits.lastIndex { $0 != "0" } ?? digits.startIndex)
        return kept.dropLast().map { "\(9 - ($0.wholeNumberValue ?? 0))" }.joined()
            + "\(10 - (kept.last?.wholeNumberValue ?? 0))"
    }

    // MARK: Random texts

    private static let alphabet: [String] = [
        "0", "1", "2", "5", "9", "-", "+", ":", ".", "T", "Z", "e", "E", " ", "\n", "t", "z", "N", "٣", "１", "\u{301}",
        "\u{2212}", "\0", "00", "-0",
    ]

    private static let dates = [
        "2013-01-31T12:34:56Z", "2012-02-29T23:59:59.999+02:00", "-000001-12-31T00:00:00.5-0530",
        "+012013-06-01T00:00:00.0000001Z", "0000-01-01T00:00:00Z", "1999-12-31T23:59:59.000Z", "2001-01-01T00:00:00Z",
        "2001-01-01T00:30:00.25+00:30",
    ]

    private static let numbers = [
        "0", "-12.50", "+7", "1e10", "1.5E-3", "123456789012345678901234567890", "NaN", "00.1", "1e400", "-0",
    ]

    /// Returns a text with up to three characters removed, replaced or added.
    private static func mutated(_ text: String, _ generator: inout SeededGenerator) -> String {
        var scalars = Array(text.unicodeScalars)
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let new = Array((alphabet.randomElement(using: &generator) ?? "").unicodeScalars)
            let place = Int.random(in: 0...scalars.count, using: &generator)
            let end = min(scalars.count, place + Int.random(in: 0...1, using: &generator))
            scalars.replaceSubrange(place..<end, with: Bool.random(using: &generator) ? new : [])
        }
        return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
    }

    private static func random(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...8, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? "" }
            .joined()
    }

    @Test func dates_areThoseOfTheGrammar() {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var accepted = 0
        for round in 0..<1200 {
            let text =
                round % 8 == 0
                ? Self.random(&generator)
                : Self.mutated(Self.dates.randomElement(using: &generator) ?? "", &generator)
            let (expected, found) = (Self.seconds(text), ISO8601Text.seconds(text))
            #expect(
                found?.bitPattern == expected?.bitPattern, "\(text.debugDescription), TROVE_TEST_SEED=\(seed)")
            accepted += found == nil ? 0 : 1
        }
        #expect((100..<1100).contains(accepted), "both kinds of texts are tested: \(accepted)")
    }

    @Test func decimals_areThoseOfTheGrammar() {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var accepted = 0
        for round in 0..<1200 {
            let text =
                round % 4 == 0
                ? Self.random(&generator)
                : Self.mutated(Self.numbers.randomElement(using: &generator) ?? "", &generator)
            // A number beyond the range of Decimal has no value.
            let expected = Self.isDecimal(text) ? (text == "NaN" ? .nan : Decimal(string: text)) : nil
            let found = Decimal(text: text)
            #expect(found == expected, "\(text.debugDescription), TROVE_TEST_SEED=\(seed)")
            accepted += found == nil ? 0 : 1
        }
        #expect((100..<1100).contains(accepted), "both kinds of texts are tested: \(accepted)")
    }

    /// Every number in the text of a Decimal is read back.
    @Test func decimals_comeBack() {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<500 {
            let number = Decimal(
                sign: Bool.random(using: &generator) ? .plus : .minus,
                exponent: .random(in: -40...40, using: &generator),
                significand: Decimal(UInt64.random(in: 0...(.max), using: &generator)))
            #expect(Decimal(text: number.description) == number, "\(number), TROVE_TEST_SEED=\(seed)")
        }
    }

    // MARK: Sets

    /// Equal elements need not be neighbors: between both forms of é is a text with other bytes.
    @Test(arguments: [
        ("Set<String>", #"["caf\u00e9","zzzzz","cafe\u0301"]"#), ("Set<Double>", "[0.0,-0.0]"),
        ("Set<Float>", "[0.0,1.0,-0.0]"), ("Set<Date>", #"["2001-01-01T00:00:00Z",-0.0]"#),
        ("Set<enum<String>>", #"["\u00e9","e\u0301"]"#), ("Set<[Double]>", "[[1.0,0.0],[1.0,-0.0]]"),
        ("Set<Double?>", "[null,0.0,-0.0]"), ("Set<{a:Double}>", #"[{"a":0.0},{"a":-0.0}]"#),
        ("Set<Set<Double>>", "[[0.0,1.0],[1.0,-0.0]]"), ("[String:Int8]", #"{"caf\u00e9":1,"zzzzz":2,"cafe\u0301":3}"#),
        ("[Double:Int8]", "[[0.0,1],[1.0,2],[-0.0,3]]"), ("[Date:Int8]", #"[["2001-01-01T00:00:00Z",1],[-0.0,2]]"#),
        ("Set<[String:Double]>", #"[{"a":1.0,"\u00e9":0.0},{"e\u0301":-0.0,"a":1.0}]"#),
        ("Set<enum{a(Double)}>", #"[{"a":{"_0":0.0}},{"a":{"_0":-0.0}}]"#),
    ])
    func elementsThatSwiftCallsEqual_areRefused(type: String, json: String) throws {
        let error = #expect(throws: JSONError.self) {
            try RecordLayout("(){value:\(type)}").read(json: "{\"value\":\(json)}")
        }
        #expect(error?.expected == "each key and element once", "\(String(describing: error))")
        #expect(error?.field.hasPrefix("value") == true)
    }

    @Test(arguments: [
        ("Set<String>", #"["caf\u00e9","zzzzz","cafe"]"#), ("Set<Double>", #"[0.0,1.0,"nan"]"#),
        ("Set<[Double]>", "[[0.0,1.0],[1.0,0.0]]"), ("[Date:Int8]", #"[["2001-01-01T00:00:00Z",1],[1.0,1]]"#),
        ("Set<Int8??>", "[null,[null],[1]]"),
    ])
    func otherElements_areRead(type: String, json: String) throws {
        let layout = try RecordLayout("(){value:\(type)}")
        let fields = try layout.read(json: "{\"value\":\(json)}")
        let bytes = try layout.writeFields(fields)
        #expect(try layout.readFields(unsafe bytes.span.bytes).fields.count == 1)
    }

    // MARK: What was found

    @Test(arguments: [
        ("Int64", "5.0", "value: expected Int64, not 5.0, at column 10"),
        ("Int64", #""x""#, #"value: expected Int64, not "x", at column 10"#),
        ("Date", #""noon""#, #"value: expected Date, not "noon", at column 10"#),
        ("Bool", "null", "value: expected Bool, at column 10"), ("Bool", "[1]", "value: expected Bool, at column 10"),
        (
            "Int8", #""\#(String(repeating: "x", count: 60))""#,
            "value: expected Int8, not \"\(String(repeating: "x", count: 39))…, at column 10"
        ),
    ])
    func aValueOfAnotherType_isShown(type: String, json: String, words: String) throws {
        let error = #expect(throws: JSONError.self) {
            try RecordLayout("(){value:\(type)}").read(json: "{\"value\":\(json)}")
        }
        #expect(error?.description == words)
    }
}
