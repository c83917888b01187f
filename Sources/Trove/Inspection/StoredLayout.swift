// The layouts of a stored type in the order of their introduction.

import TroveCoding

/// A layout that a stored type has or has had.
package struct StoredLayout: Sendable {
    /// The version of records of this layout.
    package let version: UInt32
    /// The layout as text.
    package let text: String
    /// The layout; nil if its text is malformed.
    package let layout: RecordLayout?
    /// Whether new records have this layout.
    package let isNewest: Bool
    /// The number of records of this layout; nil if it is not known.
    package let records: Int?
    /// The differences from the layout before; none for the first.
    package let differences: [LayoutDifference]
    /// The effects of the automatic rules on records of this layout; nil for the newest layout, and if one of the
    /// layouts cannot be read.
    package let effects: RuleEffects?
}

extension StoredType {
    /// Returns the layouts, the newest last.
    ///
    /// Without counts, the number of records is known if all records have the newest layout, and for layouts whose
    /// records were all migrated.
    ///
    /// - Parameter counts: The number of records of each version, as ``ReadContext/storedVersions(of:)`` returns them.
    package func storedLayouts(_ counts: [UInt32: Int]? = nil) -> [StoredLayout] {
        let newest = versions.last.flatMap(readableLayout)
        var before: RecordLayout?
        return versions.map { version in
            let layout = readableLayout(version)
            let isNewest = version == versions.last
            defer { before = layout ?? before }
            return StoredLayout(
                version: version, text: layouts[version] ?? "", layout: layout, isNewest: isNewest,
                records: counts.map { $0[version] ?? 0 } ?? knownCount(version),
                differences: before.flatMap { before in layout.map { LayoutDifference.all(from: before, to: $0) } }
                    ?? [],
                effects: isNewest ? nil : layout.flatMap { old in newest.map { RuleEffects(from: old, to: $0) } })
        }
    }

    /// Returns the effects of the rules on the records of each older layout, as far as the layouts can be read.
    ///
    /// - Parameter counts: The number of records of each version.
    package func ruleEffects(_ counts: [UInt32: Int]) -> [UInt32: RuleEffects] {
        guard let newest = versions.last, let new = readableLayout(newest) else { return [:] }
        return counts.reduce(into: [:]) { effects, entry in
            guard entry.key != newest, entry.value > 0, let old = readableLayout(entry.key) else { return }
            effects[entry.key] = RuleEffects(from: old, to: new)
        }
    }

    private func knownCount(_ version: UInt32) -> Int? {
        if !possibleVersions.contains(version) { return 0 }
        return possibleVersions.count == 1 ? count : nil
    }

    private func readableLayout(_ version: UInt32) -> RecordLayout? {
        guard let text = layouts[version] else { return nil }
        do { return try RecordLayout(text) } catch { return nil }
    }
}
