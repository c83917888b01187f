// The types of `RelationFormTests.swift`: a paper and its folders, with the relation between them in every form.

import Trove

/// The relation between papers and folders, as programs of different ages declare it.

/// One-way, to one.
enum FilingPaperToOne {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
        @Relationship var folder: Folder? = nil
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}

/// One-way, to many.
enum FilingPaperToMany {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
        @Relationship var folder: [Folder]? = nil
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}

/// One-way from the other end, to one.
enum FilingFolderToOne {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
        @Relationship var papers: Paper? = nil
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}

/// One-way from the other end, to many.
enum FilingFolderToMany {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
        @Relationship var papers: [Paper]? = nil
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}

/// Many papers in a folder.
enum FilingManyToOne {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
        @Relationship(inverse: \.papers) var folder: Folder?
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
        @Relationship(inverse: \.folder) var papers: [Paper]?
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}

/// Many folders of a paper.
enum FilingOneToMany {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
        @Relationship(inverse: \.papers) var folder: [Folder]?
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
        @Relationship(inverse: \.folder) var papers: Paper?
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}

/// A folder for each paper.
enum FilingOneToOne {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
        @Relationship(inverse: \.papers) var folder: Folder?
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
        @Relationship(inverse: \.folder) var papers: Paper?
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}

/// Many papers in many folders.
enum FilingManyToMany {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
        @Relationship(inverse: \.papers) var folder: [Folder]?
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
        @Relationship(inverse: \.folder) var papers: [Paper]?
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}

/// Many papers in many folders, with new names.
enum RenamedFiling {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
        @Renamed("folder") @Relationship(inverse: \.contents) var binders: [Folder]?
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
        @Renamed("papers") @Relationship(inverse: \.binders) var contents: [Paper]?
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}

/// Many papers in many folders, with the first names again.
enum RefiledFiling {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
        @Renamed("binders") @Relationship(inverse: \.papers) var folder: [Folder]?
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
        @Renamed("contents") @Relationship(inverse: \.folder) var papers: [Paper]?
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}

/// No relation.
enum UnrelatedFiling {
    @EntityModel(keyPrefix: 4_300_001)
    struct Paper {
        let id: Int
        var title: String
    }

    @EntityModel(keyPrefix: 4_300_002)
    struct Folder {
        let id: Int
        var label: String
    }

    static let types: [any EntityModelProtocol.Type] = [Paper.self, Folder.self]
}
