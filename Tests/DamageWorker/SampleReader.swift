// Reads all records and links of a store, by scans and by lookups, and compares them with those of the sound file.

import Foundation
import Trove

struct SampleReader {
    private let small: [Small]
    private let named: [Named]
    private let large: [Large]
    private let links: [String]

    init(soundFile path: String) throws {
        let store = try Store(path: path)
        small = try Small.query().resolve(in: store)
        named = try Named.query().resolve(in: store)
        large = try Large.query().resolve(in: store)
        links = try SampleLinks.lines(store)
    }

    func outcome(of reading: Reading, _ path: String) -> Outcome {
        do {
            switch reading {
            case .plain: return try outcome(ofReading: path, verifiesChecksums: false)
            case .checked: return try outcome(ofReading: path, verifiesChecksums: true)
            case .guarded: return try outcome(ofReading: path, verifiesChecksums: true, verifiesFile: true)
            case .verified: return try Store.verify(path: path).isSound ? .right : .refused
            case .salvaged, .searched: return try outcome(ofSalvaging: path, strayPages: reading == .searched)
            }
        } catch is StoreError {
            return .refused
        } catch {
            return .untyped
        }
    }

    private func outcome(ofSalvaging path: String, strayPages: Bool) throws -> Outcome {
        let saved = path + ".saved"
        defer {
            for file in [saved, saved + "-lock"] { _ = unsafe unlink(file) }
        }
        _ = try Store.salvage(from: path, to: saved, strayPages: strayPages)
        return try outcome(ofReading: saved, verifiesChecksums: true)
    }

    private func outcome(
        ofReading path: String, verifiesChecksums: Bool, verifiesFile: Bool = false
    ) throws -> Outcome {
        let options = StoreOptions(
            durability: .noSync, verifiesChecksums: verifiesChecksums, verifiesFile: verifiesFile)
        let store = try Store(path: path, records: SampleLinks.types, options: options)
        let outcomes = [
            try compare(small, in: store), try compare(named, in: store), try compare(large, in: store),
            try compareLinks(in: store),
        ]
        if verifiesFile { try SampleLinks.use(store) }
        return outcomes.contains(.wrong) ? .wrong : outcomes.contains(.incomplete) ? .incomplete : .right
    }

    private func compareLinks(in store: Store) throws -> Outcome {
        let found = try SampleLinks.lines(store)
        if found == links { return .right }
        return try found.allSatisfy(SampleLinks.isGenuine) ? .incomplete : .wrong
    }

    private func compare<Record: SampleRecord>(_ expected: [Record], in store: Store) throws -> Outcome {
        try store.read { context in
            // A damaged tree can contain a cycle.
            var found = try Record.query().limit(2 * expected.count).resolve(in: context)
            if found == expected, try Record.query().order(.descending).resolve(in: context) == expected.reversed() {
                let single = try expected.map { try context.get(Record.self, key: $0.indexKey) }
                if single == expected { return .right }
                found = single.compactMap(\.self)
            }
            return found.allSatisfy(\.isGenuine) ? .incomplete : .wrong
        }
    }
}
