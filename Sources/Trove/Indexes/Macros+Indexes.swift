// The macros that declare indexes. They stand in the body of a record type, where `@IndexKeyRecord` reads them,
// and add no code themselves.

/// Declares an index: the records of the struct in whose body it stands, in the order of some of their properties.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct User {
///     #Index<User>(\.age)
///     #Index<User>(\.lastName, \.firstName.desc)
///     #Index<User>(\.age, where: { $0.isActive })
///
///     let id: UUID
///     var firstName: String
///     var lastName: String
///     var age: Int
///     var isActive: Bool
/// }
/// ```
///
/// Queries use an index without being told to. Whatever changes a record changes its entries in the same transaction;
/// where the properties stay as they were, nothing is written. An index that a type gains is made of the stored records
/// when a store is opened with the type.
///
/// - The properties are stored ones of the record itself, and may belong to its key. Their order is that of keys: nil
///   sorts first, and strings sort as their UTF-8 does. `.desc` turns round the order of one property.
/// - A property whose type is no ``TroveCoding/KeyComponent``, such as an array, a struct with ``RecordValue()`` or an
///   enum with associated values, has no order. It is indexed for equality, which is that of its stored bytes.
/// - A condition makes the index smaller: only the records for which it holds are in it. The closure's own text, in
///   whatever format, belongs to the definition of the index. When it changes, or the order of a property does, the
///   index is made anew; programs that know it as it was can then read the type's records and not write them. A change
///   of something that it only calls goes unseen, so that it should ask for nothing but stored properties. A query uses
///   the index where its filter asks for no other records. It can tell that of conditions that are comparisons joined
///   by `&&`: of integers with literals, by `==` of other values with literals and cases, of optionals with nil, and
///   Bools.
///
/// What it declares becomes an element of ``IndexKeyRecord/indexes``.
///
/// - Parameters:
///   - properties: What the records are sorted by, the most important first: literal key paths.
///   - condition: Which records are in the index, as a closure that is written here; all by default.
@freestanding(declaration)
public macro Index<Record>(
    _ properties: PartialKeyPath<Record>..., where condition: (@Sendable (Record) -> Bool)? = nil
) = #externalMacro(module: "TroveMacros", type: "IndexMacro")

/// Declares that no two records of the struct in whose body it stands have the same values of some properties.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct User {
///     #Unique<User>(\.email, collisions: .throw)
///     #Unique<User>(\.firstName, \.lastName, collisions: .upsert)
///     #Unique<User>(\.isCurrent, collisions: .custom { context, new, existing in
///         var former = existing
///         former.isCurrent = false
///         try context.insert(former)
///     }, where: { $0.isCurrent })
///
///     let id: UUID
///     var firstName: String
///     var lastName: String
///     var email: String?
///     var isCurrent: Bool
/// }
/// ```
///
/// Nil is free: a record that has no value of one of the properties collides with none. So is a record for which the
/// condition does not hold.
///
/// What it declares is an index too, which queries use as one made by ``Index(_:where:)``. What is said there about
/// properties and conditions holds here.
///
/// - Parameters:
///   - properties: What must be unique, taken together: literal key paths.
///   - collisions: What happens when a record is saved whose values another one has.
///   - condition: Which records it is about, as a closure that is written here; all by default.
@freestanding(declaration)
public macro Unique<Record>(
    _ properties: PartialKeyPath<Record>..., collisions: CollisionRule<Record>,
    where condition: (@Sendable (Record) -> Bool)? = nil
) = #externalMacro(module: "TroveMacros", type: "UniqueMacro")
