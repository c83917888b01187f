// Writes that search their key once: a value unless the key is stored, the last key below a bound, and a removal that
// reads first.

import Testing
import TroveTestSupport

@testable import LMDB

@Suite struct SearchedKeyTests {
    private let test: TestEnvironment
    private let table: Database

    init() throws {
        test = try TestEnvironment()
        table = try test.environment.createDatabase("table")
    }

    /// Stores a value unless the key is stored. Returns the stored value; nil if the value is new.
    private func put(_ value: [UInt8], for key: [UInt8], _ core: TransactionCore) throws -> [UInt8]? {
        try key.withRawSpan { key in
            switch try core.reserveUnlessStored(table, key, size: value.count) {
            case .stored(let stored): return stored.copy()
            case .new(let place):
                place.write { bytes in value.withRawSpan { copyBytes($0, into: &bytes) } }
                return nil
            }
        }
    }

    private func lastKey(below bound: [UInt8], _ core: TransactionCore) throws -> [UInt8]? {
        var found: [UInt8]?
        try bound.withRawSpan { bound in
            try core.withLastKey(table, below: bound) { key in
                #expect(found == nil)
                found = copiedBytes(key)
            }
        }
        return found
    }

    /// Removes a key. Returns its value; nil if the key is absent.
    private func remove(_ key: [UInt8], _ core: TransactionCore) throws -> [UInt8]? {
        var value: [UInt8]?
        let isRemoved = try key.withRawSpan { try core.remove(table, $0) { value = copiedBytes($0) } }
        #expect(isRemoved == (value != nil))
        return value
    }

    @Test func aReservedValue_isNew_orTheBytesThatAreStored() throws {
        try test.environment.write { transaction in
            let core = try transaction.core.checked()
            let (changes, bytes) = (core.changes, core.writtenBytes)
            #expect(try put([1, 2, 3], for: key(5), core) == nil)
            #expect(core.changes == changes + 1 && core.writtenBytes == bytes + 3)
            // Before, after and at a stored key, with values of other sizes.
            #expect(try put([], for: key(4), core) == nil)
            #expect(try put([4, 5], for: key(6), core) == nil)
            #expect(try put([9, 9, 9, 9], for: key(5), core) == [1, 2, 3])
            #expect(try put([9], for: key(4), core) == [])
            #expect(try put([9], for: key(6), core) == [4, 5])
            #expect(core.changes == changes + 3 && core.writtenBytes == bytes + 5)
            // A put of the key that has just been found.
            #expect(try put([], for: key(5), core) == [1, 2, 3])
            _ = try key(5).withRawSpan { key in
                try core.put(table, key, size: 1, mode: .replaceNext) { $0.storeBytes(of: 8, as: UInt8.self) }
            }
        }
        #expect(
            try test.pairs(of: table) == [
                Pair(key: key(4), value: []), Pair(key: key(5), value: [8]), Pair(key: key(6), value: [4, 5]),
            ])
    }

    @Test func aLargeStoredValue_isReturnedWhole() throws {
        let large = (0..<20_000).map { UInt8(truncatingIfNeeded: $0) }
        try test.environment.write { transaction in
            let core = try transaction.core.checked()
            #expect(try put(large, for: key(1), core) == nil)
            #expect(try put([1], for: key(1), core) == large)
        }
        try test.environment.write { transaction in
            let core = try transaction.core.checked()
            #expect(try put([1], for: key(1), core) == large)
        }
        #expect(try test.pairs(of: table) == [Pair(key: key(1), value: large)])
    }

    @Test func aKeyThatCannotBeStored_isRefused_andLeavesTheTransactionUsable() throws {
        try test.environment.write { transaction in
            let core = try transaction.core.checked()
            for key in [[], [UInt8](repeating: 1, count: 512)] {
                let error = failure { _ = try put([1], for: key, core) }
                #expect(error?.code == .badKeySize)
                #expect(try remove(key, core) == nil)
            }
            #expect(try put([1], for: [UInt8](repeating: 1, count: 511), core) == nil)
        }
        #expect(try test.pairs(of: table).count == 1)
    }

    @Test func theLastKeyBelowABound_isFound() throws {
        try test.environment.write { transaction in
            let core = try transaction.core.checked()
            #expect(try lastKey(below: [5], core) == nil)
            for key: [UInt8] in [[2], [2, 0], [4], [4, 255]] { try transaction.put([1], for: key, in: table) }
            let expected: [([UInt8], [UInt8]?)] = [
                ([1], nil), ([2], nil), ([2, 0], [2]), ([2, 0, 0], [2, 0]), ([3], [2, 0]), ([4], [2, 0]),
                ([4, 255], [4]), ([5], [4, 255]), ([255, 255], [4, 255]),
            ]
            for (bound, key) in expected { #expect(try lastKey(below: bound, core) == key, "\(bound)") }
            // After the last key has been removed.
            #expect(try remove([4, 255], core) == [1])
            #expect(try lastKey(below: [5], core) == [4])
        }
    }

    @Test func aRemovalThatThrows_keepsTheKey() throws {
        try test.environment.write { transaction in
            let core = try transaction.core.checked()
            try transaction.put([7], for: key(1), in: table)
            let changes = core.changes
            #expect(throws: Rollback.self) {
                try key(1).withRawSpan { try core.remove(table, $0) { _ in throw Rollback() } }
            }
            #expect(core.changes == changes)
            #expect(try remove(key(2), core) == nil)
            #expect(core.changes == changes)
            #expect(try remove(key(1), core) == [7])
            #expect(core.changes == changes + 1)
            #expect(try remove(key(1), core) == nil)
        }
        #expect(try test.pairs(of: table).isEmpty)
    }

    @Test func randomWrites_equalTheModel() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        var model = SortedModel()
        for round in 0..<30 {
            let comment: Comment = "TROVE_TEST_SEED=\(seed), round \(round)"
            // Few keys with long values, or many with short ones.
            let (count, longest) = round % 2 == 0 ? (40, 1500) : (2000, 12)
            let isUndone = Int.random(in: 0..<5, using: &random) == 0
            var changed = model
            do {
                try test.environment.write { transaction in
                    let core = try transaction.core.checked()
                    for _ in 0..<200 {
                        var place = key(Int.random(in: 0..<count, using: &random))
                        if Bool.random(using: &random) { place.removeLast() }
                        let value = [UInt8](
                            repeating: .random(in: 0...255, using: &random),
                            count: .random(in: 0...longest, using: &random))
                        switch Int.random(in: 0..<5, using: &random) {
                        case 0:
                            #expect(try remove(place, core) == changed.value(for: place), comment)
                            _ = changed.delete(place)
                        case 1:
                            let index = changed.index(of: place)
                            let expected = index > 0 ? changed.pairs[index - 1].key : nil
                            #expect(try lastKey(below: place, core) == expected, comment)
                        case 2:
                            _ = try place.withRawSpan { key in
                                try core.put(table, key, size: value.count, mode: .replaceNext) { bytes in
                                    value.withRawSpan { copyBytes($0, into: &bytes) }
                                }
                            }
                            changed.put(value, for: place)
                        default:
                            let stored = changed.value(for: place)
                            #expect(try put(value, for: place, core) == stored, comment)
                            if stored == nil { changed.put(value, for: place) }
                        }
                    }
                    if isUndone { throw Rollback() }
                }
                model = changed
            } catch is Rollback {}
            #expect(try test.pairs(of: table) == model.pairs, comment)
        }
    }
}
