// The names of links in a store, and their migration, compared with Docs/Format.md.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

enum SchoolBefore {
    @EntityModel(keyPrefix: 7_101)
    struct Pupil {
        let id: String
        @Relationship(inverse: \.friends) var friends: [Pupil]?
        @Relationship(inverse: \.owner) var owner: Pupil?
        @Relationship var pinned: [Club]? = nil
        @Relationship(inverse: \.members) var clubs: [Club]?
    }

    @EntityModel(keyPrefix: 7_102)
    struct Club {
        let id: Int
        @Relationship(inverse: \.clubs) var members: [Pupil]?
    }
}

enum SchoolAfter {
    @EntityModel(keyPrefix: 7_101)
    struct Pupil {
        let id: String
        @Relationship(inverse: \.friends) var friends: [Pupil]?
        @Relationship(inverse: \.owner) var owner: Pupil?
        @Relationship var pinned: [Club]? = nil
        @Relationship(inverse: \.members) var clubs: Club?
    }

    @EntityModel(keyPrefix: 7_102)
    struct Club {
        let id: Int
        @Relationship(inverse: \.clubs) var members: [Pupil]?
    }
}

@Suite("The format of links and their migration") struct LinkMigrationFormatTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("school.trove")
        let store = try Store(path: path, records: [SchoolBefore.Pupil.self])
        try SchoolBefore.Pupil(id: "a", friends: .ids(["b"]), owner: .id("b"), pinned: .ids([1]), clubs: .ids([1]))
            .save(to: store)
        try SchoolBefore.Pupil(id: "b", clubs: .ids([2])).save(to: store)
        try store.close()
    }

    /// The stored layouts of the links, by the property at the end of their name.
    private func layouts(_ store: Store) throws -> [String: String] {
        try store.read { context in
            var layouts: [String: String] = [:]
            for stored in context.relations.values {
                let name = stored.schema.qualifiedName
                layouts[String(name.drop { $0 != "." }.dropFirst())] = stored.schema.layout
            }
            return layouts
        }
    }

    @Test func linksAreNamed_byTheOtherEnd_orOwner() throws {
        let store = try Store(path: path)
        #expect(
            try layouts(store) == [
                "SchoolBefore.Pupil.friends": "(owner:String,friends:String){position:Int64}",
                "SchoolBefore.Pupil.owner": "(owner:String,owner2:String){}",
                "SchoolBefore.Pupil.pinned": "(pinned:Int64,owner:String){position:Int64}",
                "SchoolBefore.Pupil.clubs": "(members:String,clubs:Int64){position:Int64,position2:Int64}",
            ])
    }

    @Test func theLastBatch_writesTheLayout_theFormAndTheLists() throws {
        let prefix = try #require(
            try Store(path: path).read { context in
                context.relations.values.first { $0.schema.qualifiedName.hasSuffix("Pupil.clubs") }?.schema.keyPrefix
            })
        let target = try {
            let store = try Store(path: path)
            return try store.write { context in
                let migrations = try context.relationMigrations(of: [SchoolAfter.Pupil.self])
                let migration = try #require(migrations.first { $0.keyPrefix == prefix })
                let target = try migration.target()
                let rewrite = LinkRewrite(
                    source: migration.stored, target: target, isSwapped: migration.difference.isSwapped)
                let size = TypeMigration.BatchSize(bytes: 1, records: 1, time: .zero, rests: false)
                #expect(try !rewrite.copyBatch(context, size, until: .now).isOver)
                return target
            }
        }()
        let version = target.schema.fieldsVersion
        #expect(version == SDBM.hash32(target.schema.layout))
        do {
            let store = try Store(path: path)
            try store.read { context in
                let type = try #require(try context.catalogStorage().type(prefix))
                #expect(try context.catalogStorage().migration(prefix)?.version == version)
                #expect(type.layouts[version] == nil && type.indexes.keys.sorted() == [1, 2] && type.generation == 0)
                #expect(context.relations[prefix]?.relation.form == .lists)
            }
        }
        let store = try Store(path: path, records: [SchoolAfter.Pupil.self])
        try store.read { context in
            let type = try #require(try context.catalogStorage().type(prefix))
            #expect(try context.catalogStorage().migration(prefix) == nil)
            #expect(type.newestVersion == version && type.layouts[version]?.text == target.schema.layout)
            #expect(type.indexes.keys.sorted() == [3] && type.generation == 1)
            #expect(context.relations[prefix]?.relation.form == .list)
        }
        #expect(try store.check() == [])
    }
}
