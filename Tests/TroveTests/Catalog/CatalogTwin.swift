// A type with the same name as a type in CatalogRecords.swift.

import Trove

extension Here {
    @IndexKeyRecord("id")
    fileprivate struct Session { let id: Int }
}

enum There {
    static func insert(in context: TransactionContext) throws { try context.insert(Here.Session(id: 2)) }
}
