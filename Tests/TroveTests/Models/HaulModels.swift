// The entities of a harbor, some with times of their saves, for the tests of orders and filters without a property.

import Foundation

@testable import Trove

@EntityModel(keepsMetadata: true)
struct Haul: Hashable {
    #Index<Haul>(\.weight)

    let id: Int
    var label: String = ""
    var weight: Int = 0
    var isStamped: Bool = true
    @Relationship(inverse: \.hauls) var quay: Quay?
}

extension Haul {
    func saveMetadata(to context: TransactionContext) throws {
        if isStamped { try saveStamp(to: context) }
    }
}

/// An entity without times.
@EntityModel
struct Quay: Hashable {
    let id: Int
    var name: String = ""
    @Relationship(inverse: \.quay) var hauls: [Haul]?
}

extension Store {
    /// Sets the time of a haul's last save.
    func stamp(_ id: Int, _ time: Date) throws {
        try write { _ = try $0.insert(EntityMetadata<Haul>(id: id, updatedAt: time)) }
    }
}

/// Returns a time.
func day(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: 86_400 * Double(number)) }
