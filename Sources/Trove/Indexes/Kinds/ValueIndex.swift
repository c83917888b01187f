// The value index: records in the order of some of their properties.

extension IndexKind {
    /// The kind with an entry for each record, nil included.
    @usableFromInline static let value = IndexKind(.value, name: "index")
}

extension RecordIndex {
    /// Creates an index of records in the order of some properties.
    ///
    /// - Parameters:
    ///   - properties: The properties in the sort order, the most important first.
    ///   - condition: The condition for a record to be in the index; nil for all records.
    @inlinable
    public static func index(
        _ properties: [IndexedProperty<Record>], where condition: IndexCondition<Record>? = nil
    ) -> RecordIndex {
        RecordIndex(.value, properties, where: condition)
    }

    /// Creates an index of the elements of a property. A record has an entry for each of its distinct elements.
    ///
    /// - Parameters:
    ///   - properties: The properties before the elements in the sort order.
    ///   - elements: The elements.
    ///   - others: The properties after the elements in the sort order.
    ///   - condition: The condition for a record to be in the index; nil for all records.
    @inlinable
    public static func index(
        _ properties: [IndexedProperty<Record>] = [], each elements: IndexedElements<Record>,
        _ others: [IndexedProperty<Record>] = [], where condition: IndexCondition<Record>? = nil
    ) -> RecordIndex {
        RecordIndex(.value, properties + [elements.property] + others, where: condition)
    }
}

/// Declares an index of a record type: its records, in the order of some of their properties.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct User {
///     #Index<User>(\.age)
///     #Index<User>(\.lastName, \.firstName.desc)
///     #Index<User>(\.age, where: { $0.isActive })
///     #Index<User>(\.tags.each)
///     #Index<User>(\.score, ranked: true)
///
///     let id: UUID
///     var firstName: String
///     var lastName: String
///     var age: Int
///     var isActive: Bool
///     var tags: [String]
///     var score: Int
/// }
/// ```
///
/// Queries use an index on their own. Each change of a record changes its entries in the same transaction; a record
/// with unchanged indexed properties keeps its entries. A new index of a type is built from the stored records when a
/// store is opened with the type.
///
/// - The properties are stored properties of the record itself, and may belong to its key. Their order is the order of
///   keys: nil sorts first, and strings sort as their UTF-8 does. `.desc` reverses the order of a property.
/// - A property whose type is not a ``/TroveCoding/KeyComponent``, such as an array, a struct with ``RecordValue()`` or
///   an enum with associated values, has no order. It is indexed for equality of its stored bytes.
/// - `\.tags.each` indexes the elements of an array, a set, or an optional of either: a record has an entry for each of
///   its distinct elements, none if there is no element. `.contains(\.tags, "x")` finds records by it. The elements are
///   ``/TroveCoding/KeyComponent``s, and an index has the elements of one property at most.
/// - A condition makes the index smaller: only records that fulfill it are in the index. The text of the closure, in
///   any format, belongs to the definition of the index. When the text or the order of a property changes, the index is
///   built again; programs with the former definition can then read the type's records but not write them. A change of
///   a function called by the closure goes unnoticed: use only stored properties in it. A query uses the index if its
///   filter implies the condition. Trove recognizes comparisons joined by `&&`: of integers with literals, by `==` of
///   other values with literals and cases, of optionals with nil, and Bools.
/// - A ranked index counts its entries. The number of records in a range, a page far down a list, the rank of a record
///   and quantiles then cost O(log *n*): see ``Query/rank(of:)`` and ``Query/quantile(_:of:)``. Writes cost more. A
///   store with a ranked index cannot be opened by earlier versions of Trove. `.each` is not possible.
///
/// The declaration becomes an element of ``IndexKeyRecord/indexes``.
///
/// - Parameters:
///   - properties: The properties in the sort order, the most important first: literal key paths.
///   - ranked: Whether the index counts its entries.
///   - condition: The condition for a record to be in the index, as a closure literal; nil for all records.
@freestanding(declaration)
public macro Index<Record>(
    _ properties: PartialKeyPath<Record>..., ranked: Bool = false,
    where condition: (@Sendable (Record) -> Bool)? = nil
) = #externalMacro(module: "TroveMacros", type: "IndexMacro")
