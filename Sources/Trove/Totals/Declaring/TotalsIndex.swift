// The index of totals: for each group of records, their number and the sums of some properties.
//
// It has a row for each group (Totals/Storage), and no entries. The mechanism of indexes derives the group and the
// numbers of a record for it: where they change, the totals of the groups change.

extension IndexKind {
    /// The kind with a row for each group of records.
    static let totals = IndexKind(
        .totals, name: "totals", hasEntries: false, hasGroups: true, maintenance: TotalsMaintainer())
}

extension RecordIndex {
    /// Creates an index of totals: for each group of records, their number and the sums of some properties.
    ///
    /// - Parameters:
    ///   - groups: The properties whose values, taken together, are a group; none for a single group of all records.
    ///   - numbers: The properties that are added up.
    ///   - condition: The condition for a record to be counted; nil for all records.
    public static func totals(
        by groups: [IndexedProperty<Record>] = [], of numbers: [SummedProperty<Record>] = [],
        where condition: IndexCondition<Record>? = nil
    ) -> RecordIndex {
        RecordIndex(.totals, groups + numbers.map(\.property), where: condition)
    }
}

/// Declares totals of a record type: for each group of records, their number and the sums of some properties.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct Order {
///     #Totals<Order>(by: \.city, \.year, of: \.cents)
///     #Totals<Order>(where: { $0.isOpen })
///
///     let id: Int
///     var city: String
///     var year: Int
///     var cents: Int
///     var isOpen: Bool
/// }
/// ```
///
/// Queries use totals on their own: counts, sums, averages, `exists`, the keys of groups and distinct values. A query
/// reads a row for each group, and no record, if ranges of the leading properties of `by` express its whole filter.
///
/// Each change of a record changes the totals of its group in the same transaction; a record with the same group and
/// the same numbers changes nothing. Sums are exact, also those of floating-point numbers: nothing is rounded before
/// the end, and a number that is taken away leaves no trace. New totals of a type with records are built when a store
/// is opened with the type.
///
/// - The properties of `by` follow the rules of ``Index(_:ranked:where:)``, except that `.each` is not possible.
/// - The properties of `of` are integers, floating-point numbers, `Decimal`, or optionals of these. Nil is not counted
///   in an average.
/// - A condition follows the rules of ``Index(_:ranked:where:)``, too: a query uses the totals if its filter implies
///   the condition.
///
/// A store with totals cannot be opened by earlier versions of Trove. The declaration becomes an element of
/// ``IndexKeyRecord/indexes``.
///
/// - Parameters:
///   - groups: The properties whose values, taken together, are a group: literal key paths; none for a single group of
///     all records.
///   - numbers: The properties that are added up: literal key paths.
///   - condition: The condition for a record to be counted, as a closure literal; nil for all records.
@freestanding(declaration)
public macro Totals<Record>(
    by groups: PartialKeyPath<Record>..., of numbers: PartialKeyPath<Record>...,
    where condition: (@Sendable (Record) -> Bool)? = nil
) = #externalMacro(module: "TroveMacros", type: "TotalsMacro")
