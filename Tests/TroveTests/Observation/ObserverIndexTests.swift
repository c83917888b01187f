// The matching of changes with observed regions, against a test of each region.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Index of observers") struct ObserverIndexTests {
    private var random: SeededGenerator
    private let seed: UInt64

    init() { (random, seed) = SeededGenerator.fromEnvironment() }

    private mutating func key() -> [UInt8] {
        (0..<Int.random(in: 1...2, using: &random)).map { _ in UInt8.random(in: 0...4, using: &random) }
    }

    private mutating func range() -> KeyRange {
        let (first, second) = (key(), key())
        let isOrdered = first.lexicographicallyPrecedes(second)
        let isOpen = Int.random(in: 0..<5, using: &random) == 0
        return KeyRange(lower: isOrdered ? first : second, upper: isOpen ? nil : isOrdered ? second : first)
    }

    private mutating func region() -> ObservedRegion {
        var region = ObservedRegion()
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let type = UInt32.random(in: 1...3, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: region.insertAll(of: type)
            case 1: if Bool.random(using: &random) { region.insertEverything() }
            case 2...6: region.insert(range: range(), of: type)
            default: region.insert(key: key(), of: type)
            }
        }
        return region
    }

    private mutating func changes() -> ChangedKeys {
        var changes = ChangedKeys()
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let type = UInt32.random(in: 1...4, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: changes.noteAny(type)
            case 1, 2: changes.note(type, range())
            default: key().withRawSpan { changes.note(type, $0) }
            }
        }
        if Int.random(in: 0..<20, using: &random) == 0 { changes.formUnion(.everything) }
        return changes
    }

    @Test mutating func observers_areThoseWhoseRegionIsTouched() {
        for _ in 0..<300 {
            var index = ObserverIndex()
            var regions: [Int: ObservedRegion] = [:]
            for number in 0..<Int.random(in: 1...20, using: &random) {
                regions[number] = region()
                index[number] = regions[number]
                // Replaced and removed ones leave nothing.
                let other = Int.random(in: 0...number, using: &random)
                regions[other] = Bool.random(using: &random) ? region() : nil
                index[other] = regions[other]
            }
            let changes = changes()
            let expected = Set(regions.filter { $0.value.isTouched(by: changes) }.keys)
            #expect(
                index.observers(touchedBy: RoundChanges(changes)) == expected, "TROVE_TEST_SEED=\(seed), \(regions)")
            for number in regions.keys { index[number] = nil }
            #expect(index.isEmpty && index.observers(touchedBy: RoundChanges(.everything)).isEmpty)
        }
    }

    /// A region is touched if any key of a small world is both changed and observed. Ranges between two keys of the
    /// world may be touched in addition.
    @Test mutating func aRegion_isTouched_byEachOfItsKeys() {
        let world = (0...4).flatMap { first in [[first]] + (0...4).map { [first, $0] } }.map { $0.map(UInt8.init) }
        for _ in 0..<500 {
            let (region, changes) = (region(), changes())
            let isTouched = (1...4).contains { type in
                world.contains { key in
                    changes.mayHaveChanged(key, of: type) && region.contains(key, of: type)
                }
            }
            if isTouched { #expect(region.isTouched(by: changes), "TROVE_TEST_SEED=\(seed)") }
            if changes.types.isEmpty, !changes.isEverything {
                #expect(!region.isTouched(by: changes), "TROVE_TEST_SEED=\(seed)")
            }
        }
    }
}

extension ChangedKeys {
    fileprivate func mayHaveChanged(_ key: [UInt8], of type: UInt32) -> Bool {
        switch keys(of: type) {
        case .any: true
        case .some(let keys, let ranges): keys.contains(key) || ranges.contains { $0.contains(key) }
        }
    }
}

extension ObservedRegion {
    fileprivate func contains(_ key: [UInt8], of type: UInt32) -> Bool {
        guard !isEverything else { return true }
        guard let part = parts[type] else { return false }
        return part.isWhole || part.keys.contains(key) || part.ranges.contains { $0.contains(key) }
    }
}
