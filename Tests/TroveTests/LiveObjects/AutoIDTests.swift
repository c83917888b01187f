// Ids made without the store: they ascend, and are keys, fields, text and JSON.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Leaflet: Codable, Equatable {
    #Index<Leaflet>(\.parent)

    let id: AutoID
    var parent: AutoID?
    var title: String
}

@EntityModel
private struct Booklet: Codable {
    let id: AutoID
    @Relationship(inverse: \.sequel) var prequel: Booklet?
    @Relationship(inverse: \.prequel) var sequel: Booklet?
}

@Suite("Ids made without the store") struct AutoIDTests {
    @Test func ids_ascend_onAllThreads() throws {
        let threads = (0..<4).map { _ in RunningThread { (0..<5000).map { _ in AutoID() } } }
        let lists = try threads.map { try $0.value() }
        for list in lists { #expect(zip(list, list.dropFirst()).allSatisfy(<)) }
        #expect(Set(lists.joined()).count == 20_000)
    }

    @Test func anID_isOfItsMillisecond() {
        var source = AutoIDSource()
        let moment = Date(timeIntervalSince1970: 1_700_000_000.25)
        let id = source.next(at: moment, random: .max)
        #expect(id == 1_700_000_000_250 << 21 | (1 << 21 - 1))
        #expect(source.next(at: moment + 1, random: 0) == 1_700_000_001_250 << 21)
    }

    /// The clock of a process stops, goes back, and is far off.
    @Test func ids_ascend_whateverTheClock() {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var source = AutoIDSource()
        var last: UInt64 = 0
        for _ in 0..<2000 {
            let seconds = Double.random(in: -1e4...1e4, using: &generator).rounded() / 100
            let far: Double = [0, 0, 0, 0, 1.7e9, 1.7e9, -1e12, 1e15].randomElement(using: &generator) ?? 0
            let random = generator.next()
            let id =
                Int.random(in: 0..<5, using: &generator) == 0
                ? source.leaveGap(random: random)
                : source.next(at: Date(timeIntervalSince1970: far + seconds), random: random)
            #expect(id > last, "seed \(seed)")
            last = id
        }
        #expect(last < 1 << 63)
    }

    @Test func anID_isAKeyComponentAndAField() {
        let ids: [AutoID] = [0, 1, 255, 256, 1_099_511_627_776, AutoID(), AutoID(), AutoID(rawValue: .max)]
        #expect(CodingLaws.keyViolations(of: ids, areInIncreasingOrder: <) == [])
        #expect(CodingLaws.valueViolations(of: ids) == [])
        #expect(KeyWriter.bytes(of: ids[4]) == KeyWriter.bytes(of: UInt64(1) << 40))
    }

    @Test func anID_isText() throws {
        let id = AutoID()
        #expect(AutoID(id.description) == id && id.description == "\(id.rawValue)")
        #expect(AutoID("") == nil && AutoID("-1") == nil && AutoID("18446744073709551616") == nil)
        let leaflet = Leaflet(id: id, parent: 7, title: "Fog")
        let json = try JSONEncoder().encode(leaflet)
        #expect(try JSONDecoder().decode(Leaflet.self, from: json) == leaflet)
        #expect(try JSONDecoder().decode(AutoID.self, from: Data("7".utf8)) == 7)
    }

    @Test func anID_isFoundByQueries() throws {
        let store = try Store.temporary(records: [Leaflet.self])
        let first = Leaflet(id: AutoID(), parent: nil, title: "Fog")
        let second = Leaflet(id: AutoID(), parent: first.id, title: "Tide")
        try store.insert(contentsOf: [second, first], onConflict: .throw)
        #expect(try Leaflet.query().resolve(in: store) == [first, second])
        #expect(try Leaflet.filter(\.parent == first.id).resolve(in: store) == [second])
        #expect(try Leaflet.filter(\.id > first.id).resolve(in: store) == [second])
        #expect(throws: StoreError.self) { try store.insert(first, onConflict: .throw) }
    }

    @Test func anID_isThatOfAnEntity() throws {
        let store = try Store.temporary(records: [Booklet.self])
        let (first, second) = (AutoID(), AutoID())
        try Booklet(id: first, sequel: .relation(Booklet(id: second))).save(to: store)
        #expect(try Booklet.query(second).related(\.$prequel).keys(in: store) == [first])
    }
}
