// The types of `RenamedEndTests.swift`: sheets in a shelf, with a relation whose ends get other names.

import Trove

enum FirstShelf {
    @EntityModel(keyPrefix: 4_420_001, keepsDeleted: true)
    struct Sheet {
        let id: Int
        @Relationship(inverse: \.sheets) var shelf: Shelf?
    }

    @EntityModel(keyPrefix: 4_420_002)
    struct Shelf {
        let id: Int
        @Relationship(inverse: \.shelf) var sheets: [Sheet]?
    }
}

/// One end has another name.
enum BoardShelf {
    @EntityModel(keyPrefix: 4_420_001, keepsDeleted: true)
    struct Sheet {
        let id: Int
        @Relationship(inverse: \.sheets) var board: Shelf?
    }

    @EntityModel(keyPrefix: 4_420_002)
    struct Shelf {
        let id: Int
        @Relationship(inverse: \.board) var sheets: [Sheet]?
    }
}

/// Both ends have other names.
enum RackShelf {
    @EntityModel(keyPrefix: 4_420_001, keepsDeleted: true)
    struct Sheet {
        let id: Int
        @Relationship(inverse: \.papers) var rack: Shelf?
    }

    @EntityModel(keyPrefix: 4_420_002)
    struct Shelf {
        let id: Int
        @Relationship(inverse: \.rack) var papers: [Sheet]?
    }
}

/// Both ends have other names, with a note.
enum NotedShelf {
    @EntityModel(keyPrefix: 4_420_001, keepsDeleted: true)
    struct Sheet {
        let id: Int
        @Renamed("shelf") @Relationship(inverse: \.papers) var rack: Shelf?
    }

    @EntityModel(keyPrefix: 4_420_002)
    struct Shelf {
        let id: Int
        @Renamed("sheets") @Relationship(inverse: \.rack) var papers: [Sheet]?
    }
}

/// Both names, each in a relation of its own.
enum OtherShelf {
    @EntityModel(keyPrefix: 4_420_001, keepsDeleted: true)
    struct Sheet {
        let id: Int
        @Relationship(inverse: \.sheets) var board: Shelf?
        @Relationship(inverse: \.loans) var shelf: Shelf?
    }

    @EntityModel(keyPrefix: 4_420_002)
    struct Shelf {
        let id: Int
        @Relationship(inverse: \.board) var sheets: [Sheet]?
        @Relationship(inverse: \.shelf) var loans: [Sheet]?
    }
}
