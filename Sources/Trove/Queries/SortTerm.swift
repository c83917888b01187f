// A term of a query's sort order, without the type of its records: code that plans and sorts is not generic over it.

import TroveCoding

/// A property of the sort order, and its direction.
@usableFromInline
struct SortTerm: Sendable {
    private enum Source {
        case property(SortProperty)
        /// The error for a property that cannot be read.
        indirect case failure(StoreError)
    }

    private let source: Source
    private(set) var isDescending: Bool

    @usableFromInline
    init<Record: IndexKeyRecord>(_ path: KeyPath<Record, some KeyComponent>) {
        do throws(StoreError) {
            let property = try Record.sortProperty(of: path)
            source = .property(property)
            isDescending = property.isDescending
        } catch {
            source = .failure(error)
            isDescending = false
        }
    }

    /// The term with the opposite direction.
    var reversed: SortTerm {
        var term = self
        term.isDescending.toggle()
        return term
    }

    func property() throws(StoreError) -> StoredProperty {
        switch source {
        case .property(let property): property.property
        case .failure(let error): throw error
        }
    }

    func read(_ run: inout RecordRun, _ matches: UInt64, into bytes: inout SortBytes) throws(CodingError) {
        guard case .property(let property) = source else { return }
        bytes.isComplemented = isDescending
        try property.read(&run, matches, &bytes)
    }
}

/// Returns the terms of a sort order by properties.
@inlinable
func sortTerms<Record: IndexKeyRecord, each Value: KeyComponent>(
    _ properties: repeat KeyPath<Record, each Value>
) -> [SortTerm] {
    var terms: [SortTerm] = []
    repeat terms.append(SortTerm(each properties))
    return terms
}
