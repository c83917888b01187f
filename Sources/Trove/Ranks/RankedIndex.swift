// The ranked index: an index that counts its entries, so that a position in its order is found without a walk to it.
//
// Its first table is that of a value index (Indexes/Kinds/ValueIndex.swift): queries scan it as any other. A second
// table has the counts (OpenRanks.swift).

extension IndexKind {
    /// The kind with an entry for each record, and with counts of entries.
    static let ranked = IndexKind(.ranked, name: "ranked", isRanked: true, maintenance: RankedMaintainer())
}

extension RecordIndex {
    /// Creates an index of records in the order of some properties, which may count its entries.
    ///
    /// - Parameters:
    ///   - properties: The properties in the sort order, the most important first.
    ///   - isRanked: Whether the index counts its entries, so that positions in its order are found at once.
    ///   - condition: The condition for a record to be in the index; nil for all records.
    public static func index(
        _ properties: [IndexedProperty<Record>], ranked isRanked: Bool, where condition: IndexCondition<Record>? = nil
    ) -> RecordIndex {
        RecordIndex(isRanked ? .ranked : .value, properties, where: condition)
    }
}
