// Tests of the end of a dump: a cut text is noticed, and nothing of it is loaded.
//
// A dump into a full disk ended without an error, and what was there was loaded without one: 93 of 30,000 records.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("The end of a dump") struct DumpEndTests {
    private func store(_ count: Int = 20) throws -> Store {
        let store = try Store.temporary()
        try store.insert(contentsOf: (0..<count).map { Tick(number: $0, note: "\($0)") })
        return store
    }

    private func loaded(_ lines: [String]) throws -> (report: LoadReport, count: Int) {
        let store = try Store.temporary()
        let report = try store.load(from: lines)
        return (report, try Tick.query().count(in: store))
    }

    @Test func aDump_endsWithTheNumberOfItsRecords() throws {
        let lines = try store().dump()
        #expect(lines.first == #"["trove",3]"# && lines.last == #"["end",20]"# && lines.count == 23)
        #expect(try store().dump(5).last == #"["end",5]"#)
        #expect(try store().dump(0).last == #"["end",0]"#)
        let (report, count) = try loaded(lines)
        #expect(count == 20 && !report.mayBeIncomplete)
    }

    @Test func aDumpCutAtAnyLine_isRefused() throws {
        let lines = try store().dump()
        for end in 1..<lines.count {
            let error = loadError { _ = try loaded(Array(lines.prefix(end))) }
            #expect(error?.reason == .endMissing(records: max(0, end - 2)), "\(end)")
            #expect(error?.line == end)
        }
        // With the line that the error names, the rest is loaded.
        #expect(try loaded(lines.prefix(7) + [#"["end",5]"#]).count == 5)
    }

    @Test func anotherNumberOfRecords_isRefused() throws {
        var lines = try store().dump()
        lines.remove(at: 5)
        #expect(loadError { _ = try loaded(lines) }?.reason == .otherCount(dumped: 20, found: 19))
        lines.insert(#"{"number":100,"note":""}"#, at: 5)
        lines.insert(#"{"number":101,"note":""}"#, at: 5)
        #expect(loadError { _ = try loaded(lines) }?.reason == .otherCount(dumped: 20, found: 21))
    }

    @Test func severalDumps_oneAfterTheOther_eachHaveAnEnd() throws {
        let first = try store(3).dump()
        let other = try Store.temporary()
        try other.insert(Plane1(code: "a", seats: 1, year: 2))
        let second = try other.dump()
        #expect(try loaded(first + [""] + second).report.records == 4)
        #expect(loadError { _ = try loaded(first.dropLast() + second) }?.reason == .endMissing(records: 3))
        #expect(loadError { _ = try loaded(first + [#"{"number":4,"note":""}"#]) }?.reason == .afterEnd)
        #expect(loadError { _ = try loaded(first + [#"["end",3]"#]) }?.reason == .otherCount(dumped: 3, found: 3))
    }

    /// A second description with the prefix of the first has its name and its layouts.
    @Test func anotherTypeOfTheSamePrefix_isRefused() throws {
        let first = try store(3).dump()
        let type = try #require(first.firstIndex { $0.hasPrefix("[\"type\"") })
        func refusal(replacing part: String, with other: String) throws -> LoadError? {
            var second = try store(1).dump(0)
            let description = second[type]
            second[type] = description.replacing(part, with: other)
            #expect(second[type] != description)
            let error = loadError { _ = try loaded(first + second) }
            #expect(error?.line == first.count + type + 1)
            return error
        }
        let name = try refusal(replacing: "TroveTests.Tick", with: "TroveTests.Tock")
        #expect(name?.reason == .otherLayouts(stored: "TroveTests.Tick", dumped: "TroveTests.Tock"))
        let layout = try refusal(replacing: "{note:", with: "{text:")
        guard case .otherLayouts(let stored, let dumped)? = layout?.reason else {
            Issue.record("\(String(describing: layout))")
            return
        }
        #expect(stored.contains("{note:") && dumped == stored.replacing("{note:", with: "{text:"))
        #expect(try loaded(first + store(1).dump(0)).count == 3)
    }

    /// Dumps of earlier versions of Trove have no end. They are loaded, and the report says so.
    @Test(arguments: [1, 2]) func aDumpOfAnEarlierForm_isLoaded_withoutACheck(form: Int) throws {
        var lines = try Array(store().dump().dropLast())
        lines[0] = "[\"trove\",\(form)]"
        let (report, count) = try loaded(lines)
        #expect(count == 20 && report.mayBeIncomplete)
        #expect(report.description.contains("it may be incomplete"))
    }

    @Test(arguments: [[], [""], ["", "  ", "\r"]]) func anEmptyText_isRefused(lines: [String]) throws {
        #expect(loadError { _ = try loaded(lines) }?.reason == .emptyText)
        let store = try store(1)
        // Spaces are a header of a CSV.
        let rows = lines.filter { $0 != "  " }
        #expect(loadError { try store.load(lines: rows, .csv, type: "Tick") }?.reason == .emptyText)
        let directory = try TemporaryDirectory()
        #expect(throws: LoadError.self) { try Store.create(at: directory.path("new.trove"), lines: lines) }
        #expect(try directory.names().isEmpty)
    }

    @Test func aByteOrderMark_isSkipped() throws {
        let lines = try store(2).dump()
        #expect(try loaded(["\u{FEFF}" + lines[0]] + lines.dropFirst()).count == 2)
        let store = try store(1)
        try store.load(from: ["\u{FEFF}{\"number\":7,\"note\":\"x\"}", "{\"number\":8,\"note\":\"\"}"], type: "Tick")
        #expect(try Tick.query().keys(in: store) == [0, 7, 8])
        #expect(try DumpedType.types(inSchema: "\u{FEFF}" + lines.joined(separator: "\n"), path: "").count == 1)
    }

    @Test func aCutSchema_isRefused() throws {
        let lines = try store(2).dump(0)
        let cut = loadError { _ = try DumpedType.types(inSchema: lines.dropLast().joined(separator: "\n"), path: "") }
        #expect(cut?.reason == .endMissing(records: 0))
        #expect(loadError { _ = try DumpedType.types(inSchema: "\n", path: "") }?.reason == .emptyText)
    }

    // MARK: Damage

    @Test func damagedRecords_areLeftOut_ifAClosureReceivesThem() throws {
        let store = try store()
        try store.write { context in
            let type = try context.storedTypes()[0]
            for number in [3, 4, 11] {
                let key = KeyWriter.bytes(of: number)
                var bytes: [UInt8] = []
                _ = try context.keyspace.withEntry(type.records, key) { bytes = copiedBytes($1) }
                bytes[bytes.count - 1] ^= 1
                try key.withRawSpan { try context.keyspace.put(type.records, $0, bytes) }
            }
            context.noteChange()
        }
        var damaged: [String] = []
        var lines: [String] = []
        try store.read { context in
            try context.forEachDumpLine(
                of: context.storedTypes(),
                onDamage: { error in
                    guard case .record(.checksumMismatch(_, let key)) = error else { throw error }
                    damaged.append(key.description)
                }, { lines.append($0) })
        }
        #expect(damaged == ["number: 3", "number: 4", "number: 11"])
        #expect(lines.last == #"["end",17]"#)
        #expect(try loaded(lines).count == 17)
        #expect(throws: StoreError.self) { try store.dump() }
    }
}
