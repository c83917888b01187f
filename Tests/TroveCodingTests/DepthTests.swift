// Tests of the maximum depth of values that are read by their layout, and of the stack that they need. On some systems,
// threads have 512 KB, and frames are largest in a debug build.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@Suite struct DepthTests {
    private static let stackSize = 512 << 10

    /// Reads, writes, and converts to the same layout.
    private static func use(_ bytes: [UInt8], _ layout: String) throws {
        let parsed = try RecordLayout("(){a:\(layout)}")
        let fields = try parsed.readFields(unsafe bytes.span.bytes)
        #expect(try parsed.writeFields(fields) == bytes)
        #expect(try convert(bytes, layout, layout) == bytes)
        #expect(!fields.json.isEmpty)
    }

    private static func convert(_ bytes: [UInt8], _ old: String, _ new: String) throws -> [UInt8] {
        var converted: [UInt8] = []
        let noKey: [UInt8] = []
        let conversion = try RecordConversion(
            from: RecordLayout("(){a:\(old)}"), to: RecordLayout("(){a:\(new)}"))
        try conversion.convertFields(
            key: unsafe noKey.span.bytes, fields: unsafe bytes.span.bytes, into: &converted)
        return converted
    }

    /// A record or an enum inside an optional and an array, nested up to the limit of records.
    @Test(arguments: [
        ("enum{leaf(Int8),node([^1])}", "enum{leaf(Int16),node([^1])}", [1, 1] as [UInt8], [0, 7] as [UInt8]),
        ("{v:Int8,next:^1?}", "{v:Int16,next:^1?}", [7, 1], [7, 0]),
        ("{v:Int8,all:[^1]?}", "{v:Int8,all:[^1]?,new:Int8?}", [7, 1, 1], [7, 0]),
        ("{v:Int8,all:[Int8:^1]}", "{v:Int8,all:[Int8:^1],new:Int8?}", [7, 1, 3], [7, 0]),
    ])
    func theDeepestValues_fitOnASmallStack(old: String, new: String, level: [UInt8], end: [UInt8]) throws {
        let limit = ValueWriter.depthLimit
        func bytes(_ levels: Int) -> [UInt8] { Array(repeatElement(level, count: levels - 1).joined()) + end }
        let deepest = bytes(limit)
        try onAnotherThread(stackSize: Self.stackSize) { try Self.use(deepest, old) }
        // Values that change pass through closures on each level.
        let isThereAndBack = try onAnotherThread(stackSize: 2 * Self.stackSize) {
            let there = try Self.convert(deepest, old, new)
            return try there != deepest && Self.convert(there, new, old) == deepest
        }
        #expect(isThereAndBack)
        for deep in [bytes(limit + 1), bytes(100_000)] {
            try onAnotherThread(stackSize: Self.stackSize) { try Self.expectTooDeep(deep, old) }
        }
    }

    private static func expectTooDeep(_ bytes: [UInt8], _ layout: String) throws {
        let parsed = try RecordLayout("(){a:\(layout)}")
        for error in [
            #expect(throws: CodingError.self) { try parsed.readFields(unsafe bytes.span.bytes) },
            #expect(throws: CodingError.self) { try convert(bytes, layout, layout) },
        ] {
            guard case .tooDeep = error?.reason else {
                Issue.record("\(layout): \(String(describing: error))")
                continue
            }
        }
    }

    /// Brackets between two records multiply the levels.
    @Test(arguments: [
        ("{r:" + String(repeating: "[", count: 100) + "^1" + String(repeating: "]", count: 100) + "}", 100),
        ("{r:^1" + String(repeating: "?", count: 100) + "}", 100),
    ])
    func levelsBetweenRecords_areCountedToo(layout: String, levels: Int) throws {
        func bytes(_ records: Int) -> [UInt8] { Array(repeating: 1, count: (records - 1) * levels) + [0] }
        // The plan for so many brackets needs more than the values.
        try onAnotherThread(stackSize: 2 * Self.stackSize) { [bytes = bytes(3)] in try Self.use(bytes, layout) }
        for deep in [bytes(5), bytes(ValueWriter.depthLimit), bytes(10_000)] {
            try onAnotherThread(stackSize: 2 * Self.stackSize) { try Self.expectTooDeep(deep, layout) }
        }
    }

    @Test func aValueThatIsTooDeep_isNotWritten() throws {
        let layout = try RecordLayout("(){a:{v:Int8,next:^1?}}")
        func value(_ levels: Int) -> FieldValue {
            var value = FieldValue.null
            for _ in 0..<levels {
                value = .record(StoredFields(named: [("v", .integer(7)), ("next", value)]))
            }
            return value
        }
        let limit = ValueWriter.depthLimit
        #expect(try layout.writeFields(StoredFields(named: [("a", value(limit))])).count == 2 * limit)
        let error = #expect(throws: CodingError.self) {
            try layout.writeFields(StoredFields(named: [("a", value(limit + 1))]))
        }
        #expect(error?.reason == .tooDeep(limit: limit))
    }
}
