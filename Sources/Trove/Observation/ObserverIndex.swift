// The observers of a store by the keys and ranges that they observe.
//
//     a changed key ─┬─▶ observers of the key       a dictionary
//                    ├─▶ observers of ranges        two comparisons a range, after a search in the changed keys
//                    └─▶ observers of the type

import LMDB
import TroveCoding

/// The numbers of observers, by the regions that they observe.
struct ObserverIndex {
    /// The observers of a type.
    fileprivate struct OfType {
        var byKey: [[UInt8]: Set<Int>] = [:]
        var ranges: [Int: [KeyRange]] = [:]
        var whole: Set<Int> = []

        var isEmpty: Bool { byKey.isEmpty && ranges.isEmpty && whole.isEmpty }
    }

    private var regions: [Int: ObservedRegion] = [:]
    private var types: [UInt32: OfType] = [:]
    private var ofEverything: Set<Int> = []

    var isEmpty: Bool { regions.isEmpty }

    /// The region of an observer; nil for none.
    subscript(_ number: Int) -> ObservedRegion? {
        get { regions[number] }
        set {
            if let old = regions[number] { remove(number, old) }
            regions[number] = newValue
            if let newValue { insert(number, newValue) }
        }
    }

    private mutating func insert(_ number: Int, _ region: ObservedRegion) {
        if region.isEverything { ofEverything.insert(number) }
        for (keyPrefix, part) in region.parts {
            if part.isWhole { types[keyPrefix, default: OfType()].whole.insert(number) }
            if !part.ranges.isEmpty { types[keyPrefix, default: OfType()].ranges[number] = part.ranges }
            for key in part.keys { types[keyPrefix, default: OfType()].byKey[key, default: []].insert(number) }
        }
    }

    private mutating func remove(_ number: Int, _ region: ObservedRegion) {
        ofEverything.remove(number)
        for (keyPrefix, part) in region.parts {
            types[keyPrefix]?.whole.remove(number)
            types[keyPrefix]?.ranges[number] = nil
            for key in part.keys {
                types[keyPrefix]?.byKey[key]?.remove(number)
                if types[keyPrefix]?.byKey[key]?.isEmpty ?? false { types[keyPrefix]?.byKey[key] = nil }
            }
            if types[keyPrefix]?.isEmpty ?? false { types[keyPrefix] = nil }
        }
    }

    // MARK: Matching

    /// Returns the observers with a region in which a record may have changed.
    ///
    /// - Complexity: O(*k* + *r* log *k*) in the number of changed keys and the number of observed ranges of their
    ///   types.
    func observers(touchedBy changes: RoundChanges) -> Set<Int> {
        if changes.all.isEverything { return Set(regions.filter { !$0.value.isEmpty }.keys) }
        var touched: Set<Int> = changes.all.isEmpty ? [] : ofEverything
        for keyPrefix in changes.all.types {
            guard let observers = types[keyPrefix] else { continue }
            observers.addTouched(by: changes.keys(of: keyPrefix), to: &touched)
        }
        return touched
    }
}

extension ObserverIndex.OfType {
    /// Adds the observers in whose regions a record may have changed.
    ///
    /// - Parameter changes: The changes, with their keys in ascending order.
    fileprivate func addTouched(by changes: ChangedKeys.Keys, to touched: inout Set<Int>) {
        touched.formUnion(whole)
        guard case .some(let keys, let changedRanges) = changes else {
            touched.formUnion(ranges.keys)
            return byKey.values.forEach { touched.formUnion($0) }
        }
        if !byKey.isEmpty {
            for key in keys { if let observers = byKey[key] { touched.formUnion(observers) } }
            for range in changedRanges {
                for (key, observers) in byKey where range.contains(key) { touched.formUnion(observers) }
            }
        }
        for (number, observed) in ranges where observed.contains(where: { $0.isTouched(by: keys, changedRanges) }) {
            touched.insert(number)
        }
    }
}

extension ObservedRegion {
    /// Returns whether some changes may have changed a record of the region.
    func isTouched(by changes: RoundChanges) -> Bool {
        if isEverything { return !changes.all.isEmpty }
        return parts.contains { keyPrefix, part in part.isTouched(by: changes.keys(of: keyPrefix)) }
    }
}
