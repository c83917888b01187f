// The stored links of entities, read from either end, for tests.

import Testing
import TroveCoding

@testable import Trove

extension EntityModelProtocol {
    /// Returns the ids that a relation of a stored entity leads to, in order.
    static func links(_ property: String, of id: ID, in source: some RecordReadable) throws -> [String] {
        let end = try #require(try declaredRelations().first { $0.description.property == property })
        return try source.reading { context in
            guard let (links, side) = try context.links(end) else { return [] }
            return try links.targets(of: KeyWriter.bytes(of: id), side).map { target in
                String(decoding: target.dropLast(), as: UTF8.self)
            }
        }
    }

    /// Returns the ids of any type that a relation of a stored entity leads to, in order.
    static func ids<Target: KeyComponent>(
        _ property: String, of id: ID, in source: some RecordReadable, as type: Target.Type = Int.self
    ) throws -> [Target] {
        let end = try #require(try declaredRelations().first { $0.description.property == property })
        return try source.reading { context in
            guard let (links, side) = try context.links(end) else { return [] }
            return try links.targets(of: KeyWriter.bytes(of: id), side).map { try $0[...].component() }
        }
    }
}

extension RecordReadable {
    /// Expects that every link follows from its record, and every row from its link.
    func expectIntactLinks(_ comment: Comment? = nil) throws {
        try reading { context in
            for type in try context.storedTypes() {
                #expect(try context.checkStoredIndexes(of: type).differences.isEmpty, comment)
            }
        }
    }
}
