// The stored samples: their contents, and the way to write the next sample.
//
//     swift run TroveStoreWorker write-sample Tests/TroveTests/Samples/format-N.trove

import Foundation
import Trove

package enum SampleStore {
    package static let numbers = [
        SampleNumbers(
            number: .min, int8: .min, int16: .min, int32: .min, int64: .min, int128: .min, uint: .min, uint8: .min,
            uint16: .min, uint32: .min, uint64: .min, uint128: .min, float: -.infinity, double: -.infinity,
            decimal: .leastFiniteMagnitude),
        SampleNumbers(
            number: 0, int8: -1, int16: -256, int32: -65_536, int64: -1, int128: 1 << 100, uint: 1, uint8: 128,
            uint16: 256, uint32: 65_536, uint64: 1 << 40, uint128: 1 << 80, float: 0.1, double: 0.1,
            decimal: Decimal(sign: .minus, exponent: -2, significand: 1250)),
        SampleNumbers(
            number: .max, int8: .max, int16: .max, int32: .max, int64: .max, int128: .max, uint: .max, uint8: .max,
            uint16: .max, uint32: .max, uint64: .max, uint128: .max, float: .greatestFiniteMagnitude,
            double: .leastNonzeroMagnitude, decimal: .greatestFiniteMagnitude),
    ]

    package static let values = [
        SampleValues(
            name: "", flag: false, data: Data(), bytes: [], uuid: uuid(0), date: .distantPast,
            url: URL(filePath: "/", directoryHint: .isDirectory), optional: nil, twice: .none, list: [], lists: [],
            set: [], dictionary: [:], pairs: [:], pair: Tuple("", 0), descending: Descending(.min), level: .empty,
            sign: nil, place: SamplePlace(name: "", latitude: 0, tags: nil), shape: .empty,
            tree: SampleTree(label: 0, children: []), note: nil),
        SampleValues(
            name: "a\0b, é, 日本", flag: true, data: Data(0...255), bytes: [0, 1, 2, 255], uuid: uuid(255),
            date: Date(timeIntervalSinceReferenceDate: 0.125),
            url: URL(filePath: "/some where/file", directoryHint: .notDirectory), optional: -7, twice: .some(nil),
            list: ["", "one", "two"], lists: [[], [nil, 300]], set: [-1, 256, 7],
            dictionary: ["a": [1, -1], "b": []], pairs: [1: true, 2: false], pair: Tuple("pair", -2),
            descending: Descending(5), level: .high, sign: .minus,
            place: SamplePlace(name: "Zoë", latitude: -89.5, tags: ["cold", ""]), shape: .circle(radius: 1.5),
            tree: SampleTree(
                label: 1,
                children: [
                    SampleTree(label: 2, children: []),
                    SampleTree(label: 3, children: [SampleTree(label: 4, children: [])]),
                ]), note: SampleNote(text: "\"quoted\"\n", stars: [5])),
        SampleValues(
            name: "z", flag: true, data: Data([0]), bytes: [7], uuid: uuid(7), date: .distantFuture,
            url: URL(filePath: "/日本", directoryHint: .notDirectory), optional: .max, twice: "twice", list: ["x"],
            lists: [[1], [2, 3]], set: [0], dictionary: ["": [0]], pairs: [255: true], pair: Tuple("\0", .max),
            descending: Descending(.max), level: .low, sign: .plus,
            place: SamplePlace(name: "x", latitude: .infinity, tags: []),
            shape: .path([SamplePlace(name: "y", latitude: 1, tags: nil)], closed: true),
            tree: SampleTree(label: -1, children: []), note: SampleNote(text: "", stars: [])),
    ]

    package static let numberKeys = [
        SampleNumberKeys(
            int8: .min, int16: .min, int32: .min, int64: .min, int128: .min, uint8: .min, uint16: .min, uint32: .min,
            uint64: .min, uint128: .min, float: -.infinity, double: -.infinity, text: "the least"),
        SampleNumberKeys(
            int8: -1, int16: 1, int32: -1, int64: 1, int128: -1, uint8: 1, uint16: 256, uint32: 1, uint64: 256,
            uint128: 1, float: -0.5, double: 0.5, text: "between"),
        SampleNumberKeys(
            int8: .max, int16: .max, int32: .max, int64: .max, int128: .max, uint8: .max, uint16: .max, uint32: .max,
            uint64: .max, uint128: .max, float: .infinity, double: .infinity, text: "the greatest"),
    ]

    package static let otherKeys = [
        SampleOtherKeys(
            flag: false, string: "", data: Data(), bytes: [], uuid: uuid(0), date: .distantPast, optional: nil,
            level: .empty, sign: .minus, pair: Tuple(false, nil), descending: Descending("z"), text: "first"),
        SampleOtherKeys(
            flag: true, string: "a\0b", data: Data([0, 1, 2]), bytes: [255, 0], uuid: uuid(1),
            date: Date(timeIntervalSinceReferenceDate: -0.5), optional: 0, level: .low, sign: .zero,
            pair: Tuple(true, ""), descending: Descending("日本"), text: "second"),
        SampleOtherKeys(
            flag: true, string: "é", data: Data([255]), bytes: [1], uuid: uuid(255), date: .distantFuture,
            optional: .max, level: .high, sign: .plus, pair: Tuple(true, "x"), descending: Descending(""),
            text: "third"),
    ]

    package static let documents = (0..<3).map { number in
        SampleDocument(title: "document \(number)", text: String(repeating: "page \(number) ", count: number * 700))
    }

    package static let firstPeople = (0..<20).map { id in
        SampleFirstPerson(id: id, name: "person \(id)", score: Int16(id * 10), remarks: "remark \(id)")
    }
    /// The people written with the current layout.
    package static let newPeople = (20..<30).map { id in
        SamplePerson(id: id, fullName: "person \(id)", nickname: "nick", score: 0.5, isActive: false)
    }
    /// All people, as they are read.
    package static let people =
        firstPeople.map { person in
            SamplePerson(
                id: person.id, fullName: person.name, nickname: nil, score: Double(person.score), isActive: true)
        } + newPeople

    package static let firstHouses = (1...10).map { number in
        SampleFirstHouse(town: "Ghent", number: UInt16(number), rooms: [1, Int8(number)])
    }
    package static let newHouses = (1...5).map { number in
        SampleHouse(city: "Zug", number: UInt16(number), rooms: [1000 * number], owner: "owner \(number)")
    }
    package static let houses =
        firstHouses.map {
            SampleHouse(city: $0.town, number: $0.number, rooms: $0.rooms.map(Int.init), owner: "nobody")
        }
        + newHouses

    /// More records than a single batch rewrites.
    package static let firstCounters = (0..<4200).map { SampleFirstCounter(id: $0, value: $0 &* 7) }
    package static let counters = firstCounters.map { SampleCounter(id: $0.id, count: $0.value) }

    private static func uuid(_ byte: UInt8) -> UUID {
        UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, byte))
    }

    // MARK: Writing a sample

    private struct NotInterrupted: Error, CustomStringConvertible {
        let description = "The migration was over before it could be interrupted. Try again with a debug build."
    }

    /// Writes the sample of the current format. The file must not exist yet.
    static func write(to path: String) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trove-sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: directory) } catch { TroveStoreWorker.say("\(error)") }
        }
        let working = directory.appending(path: "sample.trove").path
        // Several programs in turn, because a process has a single layout of a type.
        try writeFirstLayouts(to: working)
        try writePresentLayouts(to: working)
        let child = Process()
        child.executableURL = Bundle.main.executableURL
        child.arguments = ["interrupt-migration", working]
        try child.run()
        child.waitUntilExit()
        let store = try Store(path: working)
        guard try store.read({ try $0.storedTypes().contains { $0.migration != nil } }) else { throw NotInterrupted() }
        TroveStoreWorker.say("\(try store.copy(to: path, compacting: true))")
    }

    private static func writeFirstLayouts(to path: String) throws {
        let store = try Store(path: path)
        try store.insert(contentsOf: firstPeople)
        try store.insert(contentsOf: firstHouses)
        try store.insert(contentsOf: firstCounters)
    }

    private static func writePresentLayouts(to path: String) throws {
        try Store(path: path).write { context in
            try context.insert(contentsOf: numbers)
            try context.insert(contentsOf: values)
            try context.insert(contentsOf: numberKeys)
            try context.insert(contentsOf: otherKeys)
            try context.insert(contentsOf: documents)
            try context.insert(contentsOf: newPeople)
            try context.insert(contentsOf: newHouses)
        }
    }

    /// Begins a migration, and ends with the process when some of the records are rewritten.
    static func interruptMigration(at path: String) throws -> Never {
        let store = try Store(path: path, records: [SampleCounter.self], migrations: .background) { _ in _exit(0) }
        withExtendedLifetime(store) { dispatchMain() }
    }
}
