// The bytes of the store's own entry: strict, in one form only, and harmless if they are wrong.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("The store's own entry") struct StoreEntryTests {
    private static let identifier = UUID(
        uuid: (0x0E, 0x59, 0xF6, 0x00, 0x91, 0xDF, 0x4E, 0x99, 0x80, 0xB8, 0x11, 0xDD, 0x3B, 0xB4, 0xA6, 0x53))
    private static let uuid: [UInt8] = [
        0x0E, 0x59, 0xF6, 0x00, 0x91, 0xDF, 0x4E, 0x99, 0x80, 0xB8, 0x11, 0xDD, 0x3B, 0xB4, 0xA6, 0x53,
    ]

    private static func content(_ features: Set<StoreFeature>) throws -> [UInt8] {
        Array(try CatalogStorage.entry(for: StoreEntry(identifier: identifier, features: features)).value.dropFirst(4))
    }

    private static func decode(_ content: [UInt8]) throws -> StoreEntry {
        try content.withRawSpan { bytes in
            try ValueReader.read(bytes) { (reader) throws(CodingError) in try StoreEntry(decoding: &reader) }
        }
    }

    @Test func featuresKeepTheirNumbersGroupsAndNames() {
        let features: [StoreFeature] = [.links, .text, .changeHints, .totals, .ranks]
        #expect(features.map(\.number) == [1, 2, 3, 4, 5])
        #expect(features.map(\.group) == [.neededToRead, .neededToRead, .mayBeIgnored, .neededToRead, .neededToRead])
        #expect(
            features.map(\.description) == [
                "1 (links)", "2 (full text)", "3 (change hints)", "4 (totals)", "5 (ranks)",
            ])
        #expect(StoreFeature.Group.allCases == [.neededToRead, .neededToWrite, .mayBeIgnored])
        #expect(StoreFeature.supported == [.links, .text, .changeHints, .totals, .ranks, .history, .changes])
        #expect(StoreFeature(900, .neededToWrite).description == "900")
    }

    @Test func withoutFeatures_itHasTheBytesOfFormat1() throws {
        #expect(try Self.content([]) == [1, 0, 0, 0] + Self.uuid)
    }

    /// The example of Docs/Format.md.
    @Test func withFeatures_itHasTheDocumentedBytes() throws {
        let features: Set<StoreFeature> = [.links, StoreFeature(900, .mayBeIgnored), .changeHints]
        let bytes: [UInt8] = [0x01, 1, 0, 0, 0, 0x00, 0x02, 3, 0, 0, 0, 0x84, 0x03, 0, 0]
        #expect(try Self.content(features) == [2, 0, 0, 0] + Self.uuid + bytes)
    }

    @Test func everySetOfFeatures_isReadAsItWasWritten() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<500 {
            var numbers: Set<UInt32> = []
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                numbers.insert(UInt32.random(in: 8...(Bool.random(using: &generator) ? 40 : .max), using: &generator))
            }
            var features = Set(
                numbers.map { StoreFeature($0, StoreFeature.Group.allCases.randomElement(using: &generator)!) })
            if Bool.random(using: &generator) { features.formUnion([.links, .changeHints]) }
            let entry = try Self.decode(Self.content(features))
            #expect(
                entry == StoreEntry(identifier: Self.identifier, features: features), "TROVE_TEST_SEED=0x\(hex(seed))")
        }
    }

    @Test(
        arguments: [
            [], [0, 0], [1, 1, 0, 0, 0, 0],  // a list is missing
            [0, 0, 0],  // no feature, which is format 1
            [1, 0, 0, 0, 0, 0, 0],  // the number 0
            [2, 9, 0, 0, 0, 8, 0, 0, 0, 0, 0], [2, 9, 0, 0, 0, 9, 0, 0, 0, 0, 0],  // not ascending, twice
            [1, 9, 0, 0, 0, 1, 9, 0, 0, 0, 0], [0, 1, 9, 0, 0, 0, 1, 9, 0, 0, 0],  // in two groups
            [0, 1, 1, 0, 0, 0, 0], [1, 3, 0, 0, 0, 0, 0],  // known numbers of other groups
            [0x81, 0, 9, 0, 0, 0, 0, 0], [200, 9, 0, 0, 0, 0, 0],  // a long count, too many
            [1, 9, 0, 0, 0, 0, 0, 0],  // a byte behind the lists
        ] as [[UInt8]]) func malformedLists_areCorrupted(_ lists: [UInt8]) throws
    {
        let content = [2, 0, 0, 0] + Self.uuid + lists
        #expect(throws: CodingError.self) { try Self.decode(content) }
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        try Store(path: path, options: StoreOptions(durability: .noSync)).insert(Tick(number: 1, note: ""))
        try RawStoreEntry.write(content, to: path)
        guard case .record(.corrupted) = storeError({ try Store(path: path) }) else {
            Issue.record("\(String(describing: storeError { try Store(path: path) }))")
            return
        }
        #expect(try Store.verify(path: path).findings.contains { $0.kind == .catalogEntry && $0.isDamage })
    }

    @Test func format1_hasNothingAfterTheIdentifier() {
        for rest in [[0], [0, 0, 0], [1, 1, 0, 0, 0, 0, 0]] as [[UInt8]] {
            #expect(throws: CodingError.self) { try Self.decode([1, 0, 0, 0] + Self.uuid + rest) }
        }
        for format in [0, 3, 255] as [UInt8] {
            #expect(throws: CodingError.self) {
                try Self.decode([format, 0, 0, 0] + Self.uuid + [1, 9, 0, 0, 0, 0, 0])
            }
        }
    }

    // MARK: Any bytes

    private static func randomContent(_ generator: inout SeededGenerator) throws -> [UInt8] {
        func byte() -> UInt8 { UInt8.random(in: 0...255, using: &generator) }
        if Int.random(in: 0..<8, using: &generator) == 0 {
            return (0..<Int.random(in: 0...60, using: &generator)).map { _ in byte() }
        }
        let features = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            StoreFeature(
                UInt32.random(in: 4...300, using: &generator),
                StoreFeature.Group.allCases.randomElement(using: &generator)!)
        }
        // A number twice is possible here: in two groups it is malformed.
        var content = try Self.content(Set(features))
        for _ in 0..<Int.random(in: 0...3, using: &generator) where !content.isEmpty {
            let index = content.indices.randomElement(using: &generator)!
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: content[index] = byte()
            case 1: content[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: content.insert(byte(), at: index)
            default: content.removeSubrange(index..<min(content.count, index + Int(byte() % 9)))
            }
        }
        return content
    }

    @Test func anyBytes_areRefused_orTheOnlyBytesOfTheirEntry() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var valid = 0
        for _ in 0..<20_000 {
            let content = try Self.randomContent(&generator)
            guard let entry = try? Self.decode(content) else { continue }
            valid += 1
            let bytes = Array(try CatalogStorage.entry(for: entry).value.dropFirst(4))
            #expect(bytes == content, "TROVE_TEST_SEED=0x\(hex(seed)) \(content)")
        }
        #expect(valid > 1000, "TROVE_TEST_SEED=0x\(hex(seed))")
    }

    /// The checksum is correct, as in a file from a stranger.
    @Test func anyBytesInAFile_openOrThrow() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        try Store(path: path, options: StoreOptions(durability: .noSync)).insert(Tick(number: 1, note: ""))
        for round in 0..<150 {
            let content = try Self.randomContent(&generator)
            try RawStoreEntry.write(content, to: path)
            let comment: Comment = "TROVE_TEST_SEED=0x\(hex(seed)) round \(round) \(content)"
            let entry = try? Self.decode(content)
            let error = storeError { try Store(path: path).get(Tick.self, key: 1) }
            let writeError = storeError { try Store(path: path).insert(Tick(number: 1, note: "")) }
            switch error {
            case nil:
                let unknown = try #require(entry, comment).features.subtracting(StoreFeature.supported)
                let groups = Set(unknown.map(\.group))
                #expect(!groups.contains(.neededToRead), comment)
                #expect((writeError != nil) == groups.contains(.neededToWrite), comment)
                #expect(try Store.verify(path: path).isSound, comment)
            case .file(.formatTooNew(_, let format, let supported, let features))?:
                #expect(features.isEmpty == (format > supported), comment)
                #expect(features.isEmpty || Set(features).isSubset(of: entry?.features ?? []), comment)
                #expect(writeError == error, comment)
            case .record(.corrupted)?, .file(.formatTooOld)?: #expect(entry == nil, comment)
            default: Issue.record("\(error.map { "\($0)" } ?? "") \(comment)")
            }
            let salvaged = directory.path("salvaged-\(round).trove")
            _ = storeError { try Store.salvage(from: path, to: salvaged) }
        }
    }

    private func hex(_ number: UInt64) -> String { String(number, radix: 16) }
}
