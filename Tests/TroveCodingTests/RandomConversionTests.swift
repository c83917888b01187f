// Tests of random pairs of layouts with random records: the plan and the bytes against a reference.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

/// The components and fields of a record type.
private struct ModelRecord {
    var key: [Model.Field]
    var fields: [Model.Field]

    var all: [Model.Field] { key + fields }

    func layout() throws -> RecordLayout {
        RecordLayout(key: try key.map { try $0.layout() }, fields: try fields.map { try $0.layout() })
    }
}

/// The result of a conversion of bytes.
private enum Outcome: Equatable {
    case bytes([UInt8])
    case refused(field: String)
    case damaged

    /// Returns the result of the conversion.
    init(_ convert: (inout [UInt8]) throws -> Void) throws {
        // The bytes before stay unchanged.
        var bytes: [UInt8] = [0xAB]
        do {
            try convert(&bytes)
            #expect(bytes.removeFirst() == 0xAB)
            self = .bytes(bytes)
        } catch let error as ConversionError {
            self = .refused(field: error.field)
        } catch is CodingError {
            self = .damaged
        }
    }

    /// Returns the result of the reference, field by field.
    init(
        _ reference: (values: StoredFields, failure: String?), _ fields: [LayoutField],
        _ write: (LayoutField, StoredFields) throws(CodingError) -> [UInt8]
    ) {
        var bytes: [UInt8] = []
        for (field, value) in zip(fields, reference.values.fields) {
            do throws(CodingError) {
                bytes += try write(field, StoredFields([value]))
            } catch {
                // Two different NaNs may become the same in a set.
                self = .refused(field: field.name)
                return
            }
        }
        self = reference.failure.map { .refused(field: $0) } ?? .bytes(bytes)
    }

    /// Returns the fields of a record, by the reference.
    static func fields(_ reference: (values: StoredFields, failure: String?), _ layout: RecordLayout) -> Outcome {
        Outcome(reference, layout.fields) { (field, value) throws(CodingError) in
            try RecordLayout(key: [], fields: [field]).writeFields(value)
        }
    }

    /// Returns the key of a record, by the reference.
    static func key(_ reference: (values: StoredFields, failure: String?), _ layout: RecordLayout) -> Outcome {
        Outcome(reference, layout.key) { (field, value) throws(CodingError) in
            try RecordLayout(key: [field], fields: []).writeKey(value)
        }
    }
}

extension ConversionMaker {
    fileprivate mutating func record() -> ModelRecord {
        ModelRecord(key: key(of: chance(50) ? ["k"] : ["k", "l"]), fields: fields(of: ["a", "b", "c", "d"]))
    }

    /// Returns a record type similar to another. Sometimes a component becomes a field, or a field a component.
    fileprivate mutating func neighbor(of old: ModelRecord) -> ModelRecord {
        var new = old
        if chance(60) { new.key = neighbors(of: old.key, adding: "m", inKey: true) }
        new.fields = neighbors(of: old.fields, adding: "e")
        if chance(10), let component = new.key.popLast() { new.fields.insert(component, at: 0) }
        if chance(20), let index = new.fields.firstIndex(where: \.canBeKey) {
            var field = new.fields.remove(at: index)
            field.defaultValue = nil
            new.key.append(field)
        }
        return new
    }
}

extension Model.Field {
    fileprivate var canBeKey: Bool {
        switch type {
        case .scalar(let name), .optional(.scalar(let name)): name != "Decimal"
        case .raw, .optional(.raw): true
        default: false
        }
    }
}

@Suite struct RandomConversionTests {
    @Test func whatIsSaidAndDone_isWhatTheTableSays() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var maker = ConversionMaker(generator: generator)
        var damage = Damage(generator: SeededGenerator(seed: seed &+ 1))
        var seen: [Verdict: Int] = [:]
        for round in 0..<3000 {
            let comment = Comment(rawValue: "round \(round), TROVE_TEST_SEED=\(seed)")
            let old = maker.record()
            let new = maker.neighbor(of: old)
            let verdicts = new.all.map { Reference.verdict(of: $0, among: old.all) }
            let expected = verdicts.reduce(Verdict.safe) { $0.and($1) }
            seen[expected, default: 0] += 1
            let (oldLayout, newLayout) = (try old.layout(), try new.layout())
            let conversion: RecordConversion
            do throws(ConversionError) {
                conversion = try RecordConversion(from: oldLayout, to: newLayout)
            } catch {
                let first = zip(new.all, verdicts).first { $1 == .none }?.0.name
                #expect(error.field.split(separator: ".").first.map(String.init) == first, comment)
                continue
            }
            #expect(expected != .none, comment)
            #expect(conversion.canFail || expected == .safe, "\(comment): \(oldLayout) → \(newLayout)")
            // Keys may become too long.
            #expect(!conversion.canFail || expected == .mayFail || !conversion.keepsKey, comment)
            try check(conversion, old, new, &maker, &damage, isSafe: expected == .safe, comment)
        }
        // Each of the three outcomes occurred.
        for verdict in [Verdict.none, .mayFail, .safe] { #expect(seen[verdict, default: 0] > 100, "seed \(seed)") }
    }

    private func check(
        _ conversion: RecordConversion, _ old: ModelRecord, _ new: ModelRecord, _ maker: inout ConversionMaker,
        _ damage: inout Damage, isSafe: Bool, _ comment: Comment
    ) throws {
        let (oldLayout, newLayout) = (try old.layout(), try new.layout())
        let key = try oldLayout.writeKey(maker.values(of: old.key))
        let fields = try oldLayout.writeFields(maker.values(of: old.fields))
        let values = try oldLayout.read(key: unsafe key.span.bytes, fields: unsafe fields.span.bytes)

        let newKey = Reference.convert(values.fields.map(\.value), from: old.all, to: new.key)
        let doneKey = try Outcome {
            try conversion.convertKey(key: unsafe key.span.bytes, fields: unsafe fields.span.bytes, into: &$0)
        }
        #expect(doneKey == Outcome.key(newKey, newLayout), comment)
        #expect(!conversion.keepsKey || doneKey == .bytes(key), comment)

        let newFields = Reference.convert(values.fields.map(\.value), from: old.all, to: new.fields)
        let done = try Outcome {
            try conversion.convertFields(key: unsafe key.span.bytes, fields: unsafe fields.span.bytes, into: &$0)
        }
        #expect(done == Outcome.fields(newFields, newLayout), comment)
        #expect(!isSafe || newKey.failure == nil && newFields.failure == nil, comment)

        for _ in 0..<3 {
            let damaged = damage.mutated(fields)
            let done = try Outcome {
                try conversion.convertFields(key: unsafe key.span.bytes, fields: unsafe damaged.span.bytes, into: &$0)
            }
            // Reading everything rejects more: texts that are only copied are not checked.
            let key = try oldLayout.readKey(unsafe key.span.bytes)
            guard let values = try? oldLayout.readFields(unsafe damaged.span.bytes) else { continue }
            let all = (key.fields + values.fields).map(\.value)
            let expected = Reference.convert(all, from: old.all, to: new.fields)
            #expect(done == Outcome.fields(expected, newLayout), "\(comment), \(hex(damaged))")
        }
    }

    @Test func theSameLayout_givesTheSameBytes() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var maker = ConversionMaker(generator: generator)
        for _ in 0..<300 {
            let record = maker.record()
            let layout = try record.layout()
            let fields = try layout.writeFields(maker.values(of: record.fields))
            let conversion = try RecordConversion(from: layout, to: layout)
            #expect(conversion.canFail == layout.description.contains("enum<") && conversion.changes.isEmpty)
            #expect(conversion.keepsKey && conversion.keepsKeysDistinct)
            let key = try layout.writeKey(maker.values(of: record.key))
            let done = try Outcome {
                try conversion.convertFields(key: unsafe key.span.bytes, fields: unsafe fields.span.bytes, into: &$0)
            }
            #expect(done == .bytes(fields), "TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test func whatConverts_comesBackTheSame() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var maker = ConversionMaker(generator: generator)
        var returned = 0
        for round in 0..<2000 {
            let old = maker.fields(of: ["a", "b"])
            let new = old.map { Model.Field(name: $0.name, type: maker.losslessNeighbor(of: $0.type)) }
            guard Reference.verdict(.record(old), .record(new)) != .none,
                Reference.verdict(.record(new), .record(old)) != .none
            else { continue }
            let (oldLayout, newLayout) = (
                try ModelRecord(key: [], fields: old).layout(), try ModelRecord(key: [], fields: new).layout()
            )
            let bytes = try oldLayout.writeFields(maker.values(of: old))
            let there = try RecordConversion(from: oldLayout, to: newLayout)
            let back = try RecordConversion(from: newLayout, to: oldLayout)
            let empty: [UInt8] = []
            let converted = try Outcome {
                try there.convertFields(key: unsafe empty.span.bytes, fields: unsafe bytes.span.bytes, into: &$0)
            }
            guard case .bytes(let converted) = converted else { continue }
            returned += 1
            let result = try Outcome {
                try back.convertFields(key: unsafe empty.span.bytes, fields: unsafe converted.span.bytes, into: &$0)
            }
            #expect(result == .bytes(bytes), "round \(round), TROVE_TEST_SEED=\(seed)")
        }
        #expect(returned > 100)
    }

    @Test func keysThatStayDistinct_do() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var maker = ConversionMaker(generator: generator)
        var collisions = 0
        for round in 0..<1000 {
            let old = ModelRecord(key: maker.key(of: ["k", "l"]), fields: [])
            let new = ModelRecord(key: maker.neighbors(of: old.key, adding: "m", inKey: true), fields: [])
            guard Reference.verdict(.record(old.key), .record(new.key)) != .none else { continue }
            let oldLayout = try old.layout()
            let conversion = try RecordConversion(from: oldLayout, to: new.layout())
            var made: [[UInt8]: [UInt8]] = [:]
            for _ in 0..<30 {
                let key = try oldLayout.writeKey(maker.values(of: old.key))
                let empty: [UInt8] = []
                let done = try Outcome {
                    try conversion.convertKey(key: unsafe key.span.bytes, fields: unsafe empty.span.bytes, into: &$0)
                }
                guard case .bytes(let newKey) = done, let other = made.updateValue(key, forKey: newKey), other != key
                else { continue }
                collisions += 1
                #expect(!conversion.keepsKeysDistinct, "round \(round), \(hex(key)), TROVE_TEST_SEED=\(seed)")
            }
        }
        #expect(collisions > 50, "TROVE_TEST_SEED=\(seed)")
    }
}
