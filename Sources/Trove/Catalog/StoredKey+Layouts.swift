// The keys of records and index entries, with the layouts that the program or the catalog knows.

import TroveCoding

extension RecordSchema {
    /// Returns the key of an entry of an index.
    ///
    /// - Parameter index: The index, such as `index(age)`.
    func entryKey(_ bytes: [UInt8], of index: String) -> StoredKey {
        let declared = indexes.first { $0.text == index }.map { CatalogIndex($0) }
        return StoredKey(bytes, of: name, layout: declared?.entryLayout(in: layout))
    }
}

extension RecordTable {
    /// Returns the key of a stored record.
    func storedKey(_ bytes: [UInt8]) -> StoredKey { schema.storedKey(bytes, layout: type.keyLayout) }
}

extension CatalogType {
    /// Returns the key of a record.
    func storedKey(_ bytes: [UInt8]) -> StoredKey { StoredKey(bytes, of: qualifiedName, layout: keyLayout) }

    /// Returns the key of an entry of an index, in the newest layout.
    func entryKey(_ bytes: [UInt8], of index: CatalogIndex) -> StoredKey {
        let layout = newestVersion.flatMap { layouts[$0] }.flatMap { index.entryLayout(in: $0.text) }
        return StoredKey(bytes, of: qualifiedName, layout: layout)
    }
}

extension CatalogIndex {
    /// Returns the names and types of an entry's components: the indexed properties, then the record's key. Nil if a
    /// property is not in the layout, or describes itself.
    func entryLayout(in layout: String) -> String? {
        do throws(CodingError) {
            return LayoutDerivation(self, in: try RecordLayout(layout))?.entryLayout
        } catch {
            return nil
        }
    }
}
