// Queries that begin with a range of keys, over indexes: the range of keys is a part of the index's ranges.

import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("sensor", "id")
private struct Reading: Hashable {
    #Index<Reading>(\.sensor, \.day, \.value)

    let sensor: String
    let id: Int
    var day: Int
    var value: Double
    var note: String = ""
}

@Suite("Key ranges over indexes") struct KeyRangeIndexTests {
    @Test func groups_comeFromTheEntriesAlone() throws {
        let store = try Store.temporary()
        let readings = (0..<400).map { id in
            Reading(sensor: ["a", "b", "c"][id % 3], id: id, day: id % 7, value: Double(id % 11))
        }
        try store.insert(contentsOf: readings)
        let byKey = Reading.query(sensor: "a").grouped(by: \.day)
        let byFilter = Reading.filter(\.sensor == "a").grouped(by: \.day)
        #expect(
            try byKey.min(of: \.value).explain(in: store) == """
                scan index(sensor,day,value) of Reading, 1 range: sensor == "a"
                groups: day; from the entries alone; min and max of value skip the rest of each group
                entries to read: 134
                """)
        #expect(try byKey.min(of: \.value).explain(in: store) == byFilter.min(of: \.value).explain(in: store))
        for (day, average) in try byKey.average(of: \.value).resolve(in: store) {
            let values = readings.filter { $0.sensor == "a" && $0.day == day }.map(\.value)
            #expect(average == values.reduce(0, +) / Double(values.count))
        }
        let some = Reading.query(sensor: .within(["a", "c"])).filter(\.day == 3).grouped(by: \.day)
        #expect(try some.count(in: store).map(\.value) == [readings.count { $0.sensor != "b" && $0.day == 3 }])
        #expect(try some.explain(in: store).contains("in memory"))
        #expect(try some.explain(in: store).contains(#"2 ranges: sensor within ["a", "c"] and day == 3"#))
        // A range of keys that the index does not express: records are read.
        #expect(
            try Reading.query(sensor: "a", id: .lessThan(50)).grouped(by: \.day).explain(in: store).contains(
                "in memory"))
    }

    @Test func filtersAfterAKeyRange_useTheIndexOfBoth() throws {
        let store = try Store.temporary()
        try store.insert(
            contentsOf: (0..<3_000).map { Reading(sensor: "s\($0 % 3)", id: $0, day: $0 % 100, value: 0) })
        let query = Reading.query(sensor: "s1").filter(\.day == 7)
        #expect(
            try query.explain(in: store) == """
                scan index(sensor,day,value) of Reading, 1 range: sensor == "s1" and day == 7
                entries to read: 10
                """)
        #expect(try query.keys(in: store).count == 10)
        // What begins with a constant component has the order of the next.
        let page = Reading.query(sensor: "s1").sorted(by: \.day).limit(3)
        #expect(try page.explain(in: store).contains("order: day; as stored, ties sorted"))
        #expect(try page.keys(in: store).map { $0.elements.1 } == [100, 400, 700])
    }

    @Test func queries_equalThoseOfAnArray() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let store = try Store.temporary()
        let samples = TwinFields.samples(200, using: &random)
        try store.insert(contentsOf: samples.map { IndexedTwin($0) })
        for round in 0..<300 {
            let (first, second) = (samples.sample(&random), samples.sample(&random))
            let (query, isInRange): (Query<IndexedTwin>, (TwinFields) -> Bool) =
                switch Int.random(in: 0..<7, using: &random) {
                case 0: (IndexedTwin.query(group: first.group), { $0.group == first.group })
                case 1: (IndexedTwin.query(group: .greaterThan(first.group)), { $0.group > first.group })
                case 2:
                    (
                        IndexedTwin.query(group: .closedRange(from: first.group, through: second.group)),
                        { $0.group >= first.group && $0.group <= second.group }
                    )
                case 3:
                    (
                        IndexedTwin.query(group: .within([first.group, second.group])),
                        { $0.group == first.group || $0.group == second.group }
                    )
                case 4:
                    (
                        IndexedTwin.query(group: first.group, name: .greaterThanOrEqual(second.name)),
                        { $0.group == first.group && $0.name >= second.name }
                    )
                case 5:
                    (
                        IndexedTwin.query(group: first.group, name: .within([first.name, second.name])),
                        { $0.group == first.group && ($0.name == first.name || $0.name == second.name) }
                    )
                default:
                    (
                        IndexedTwin.query(group: first.group, name: .hasPrefix(second.name)),
                        { $0.group == first.group && $0.name.hasPrefix(second.name) }
                    )
                }
            let filter = TwinFilter.random(Int.random(in: 0...1, using: &random), samples, using: &random)
            let order = TwinOrder.random(using: &random)
            var expected = samples.filter { isInRange($0) && filter.holds($0) }.sortedStably { left, right in
                for next in order { if let precedes = next.sorts(left, before: right) { return precedes } }
                return false
            }
            var sorted = query.filter(filter.filter(IndexedTwin.self)).sorted(
                by: order.map { $0.key(IndexedTwin.self) })
            if order.isEmpty { sorted = sorted.order(.ascending) }
            #expect(try sorted.count(in: store) == expected.count)
            if Bool.random(using: &random) {
                sorted = sorted.limit(5).after(expected.first.map { IndexedTwin($0) })
                expected = Array(expected.dropFirst().prefix(5))
            }
            let plan = try sorted.explain(in: store)
            #expect(
                try sorted.resolve(in: store).map(\.fields.code) == expected.map(\.code),
                "round \(round), seed \(seed)\n\(sorted)\n\(plan)")
        }
    }
}
