// The tables in which a relation's links are in the order of an end.

import LMDB
import TroveCoding

extension LinkTable {
    /// Returns the table whose keys begin with the keys of an end.
    ///
    /// - Parameter owner: The key of the entity whose links are read, for the error.
    /// - Throws: ``StoreError/RecordError/indexDamaged(type:index:key:)`` if the list of the end is not in the catalog,
    ///   or lacks links.
    @inline(__always)
    func database(of side: LinkSide, _ owner: [UInt8] = []) throws -> Database {
        guard let ordinal = relation.form.list(of: side) else { return table.database }
        guard let list = list(ordinal) else { throw incompleteList(ordinal, side, owner) }
        return list
    }

    /// Returns the table whose keys begin with the keys of an end.
    ///
    /// - Parameter owner: The key of the entity whose links are read, for the error.
    /// - Throws: ``StoreError/RecordError/indexDamaged(type:index:key:)``.
    @inline(__always)
    func database(of side: LinkSide, _ owner: ByteView) throws -> Database {
        guard let ordinal = relation.form.list(of: side) else { return table.database }
        guard let list = list(ordinal) else { throw incompleteList(ordinal, side, owner.copy()) }
        return list
    }

    /// Returns the list with an ordinal among the indexes of the links; nil if it lacks links.
    private func list(_ ordinal: Int) -> Database? {
        guard ordinal < table.indexes.count, table.indexes[ordinal].isReady else { return nil }
        return table.indexes[ordinal].database
    }

    private func incompleteList(_ ordinal: Int, _ side: LinkSide, _ owner: [UInt8]) -> StoreError {
        let end = StoredKey(owner, of: name, layout: LinkKeys.layout(of: side, in: table.type.keyLayout))
        return .record(.indexDamaged(type: name, index: table.schema.indexes[ordinal].text, key: end))
    }
}
