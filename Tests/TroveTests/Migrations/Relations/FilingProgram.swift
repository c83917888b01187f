// Programs that declare the relation between papers and folders differently, and the links as a plain model.

import Testing
import TroveCoding

@testable import Trove

/// A program with its declaration of the relation between papers and folders.
struct FilingProgram: Sendable, CustomTestStringConvertible {
    let name: String
    let types: [any EntityModelProtocol.Type]
    /// The properties of papers and of folders; nil without a property.
    var paper: (property: String, isToMany: Bool)?
    var folder: (property: String, isToMany: Bool)?

    var testDescription: String { name }

    static let paperToOne = FilingProgram("PaperToOne", FilingPaperToOne.types, ("folder", false), nil)
    static let paperToMany = FilingProgram("PaperToMany", FilingPaperToMany.types, ("folder", true), nil)
    static let folderToOne = FilingProgram("FolderToOne", FilingFolderToOne.types, nil, ("papers", false))
    static let folderToMany = FilingProgram("FolderToMany", FilingFolderToMany.types, nil, ("papers", true))
    static let manyToOne = FilingProgram("ManyToOne", FilingManyToOne.types, ("folder", false), ("papers", true))
    static let oneToMany = FilingProgram("OneToMany", FilingOneToMany.types, ("folder", true), ("papers", false))
    static let oneToOne = FilingProgram("OneToOne", FilingOneToOne.types, ("folder", false), ("papers", false))
    static let manyToMany = FilingProgram("ManyToMany", FilingManyToMany.types, ("folder", true), ("papers", true))
    static let renamed = FilingProgram("Renamed", RenamedFiling.types, ("binders", true), ("contents", true))
    static let renamedBack = FilingProgram("RenamedBack", RefiledFiling.types, ("folder", true), ("papers", true))
    static let unrelated = FilingProgram("Unrelated", UnrelatedFiling.types, nil, nil)
    /// The programs with the first names of both properties.
    static let forms = [
        paperToOne, paperToMany, folderToOne, folderToMany, manyToOne, oneToMany, oneToOne, manyToMany,
    ]

    /// Returns the programs that declare the same relation.
    static func neighbors(of program: FilingProgram) -> [FilingProgram] {
        switch program.name {
        case renamed.name: [renamedBack]
        case manyToMany.name, renamedBack.name: forms + [renamed]
        default:
            forms.filter { ($0.paper != nil && program.paper != nil) || ($0.folder != nil && program.folder != nil) }
        }
    }

    init(
        _ name: String, _ types: [any EntityModelProtocol.Type], _ paper: (String, Bool)?, _ folder: (String, Bool)?
    ) {
        (self.name, self.types) = (name, types)
        self.paper = paper.map { ($0.0, $0.1) }
        self.folder = folder.map { ($0.0, $0.1) }
    }

    /// Whether a paper has at most one folder. The target of a one-way relation can have any number of links.
    var isPaperExclusive: Bool { paper.map { !$0.isToMany } ?? false }
    var isFolderExclusive: Bool { folder.map { !$0.isToMany } ?? false }

    /// Whether the links of a paper, or of a folder, have an order.
    var ordersFolders: Bool { paper?.isToMany ?? false }
    var ordersPapers: Bool { folder?.isToMany ?? false }

    func open(_ path: String, _ migrations: MigrationPolicy = .allowOlderLayout) throws -> Store {
        try Store(path: path, records: types, migrations: migrations, options: StoreOptions(durability: .noSync))
    }

    private func end(ofPapers: Bool) throws -> DeclaredRelation? {
        let property = ofPapers ? paper?.property : folder?.property
        return try types[ofPapers ? 0 : 1].declaredRelations().first { $0.description.property == property }
    }

    /// Links papers to folders, from the end that the program declares.
    func link(_ pairs: [(paper: Int, folder: Int)], in context: TransactionContext) throws {
        let isOfPapers = paper != nil
        let end = try #require(try end(ofPapers: isOfPapers))
        let (links, side) = try #require(try context.linkWriter(of: end, creates: true))
        for pair in pairs {
            let (owner, target) = isOfPapers ? (pair.paper, pair.folder) : (pair.folder, pair.paper)
            let (ownerKey, targetKey) = (KeyWriter.bytes(of: owner), KeyWriter.bytes(of: target))
            if end.description.isToMany {
                try links.append(ownerKey, [targetKey], side)
            } else {
                try links.set(ownerKey, to: targetKey, side)
            }
        }
    }

    /// Returns the links of each paper and each folder, as the program's relations read them.
    func read(_ store: Store) throws -> (folders: [Int: [Int]], papers: [Int: [Int]]) {
        (try links(ofPapers: true, store), try links(ofPapers: false, store))
    }

    private func links(ofPapers: Bool, _ store: Store) throws -> [Int: [Int]] {
        guard let end = try end(ofPapers: ofPapers) else { return [:] }
        return try store.read { context in
            guard let (links, side) = try context.links(end) else { return [:] }
            return try (0..<FilingModel.size).reduce(into: [:]) { found, id in
                let targets = try links.targets(of: KeyWriter.bytes(of: id), side)
                    .map { try $0[...].component() as Int }
                if !targets.isEmpty { found[id] = targets }
            }
        }
    }
}

/// The links between papers and folders, in memory.
struct FilingModel: Equatable {
    /// The numbers of papers and of folders.
    static let size = 8

    private(set) var folders: [Int: [Int]] = [:]
    private(set) var papers: [Int: [Int]] = [:]

    /// The links that a program's relations read.
    func asRead(by program: FilingProgram) -> (folders: [Int: [Int]], papers: [Int: [Int]]) {
        (program.paper == nil ? [:] : folders, program.folder == nil ? [:] : papers)
    }

    mutating func link(_ paper: Int, _ folder: Int, by program: FilingProgram) {
        if folders[paper]?.contains(folder) == true { return }
        if program.isPaperExclusive { for other in folders[paper] ?? [] { unlink(paper, other) } }
        if program.isFolderExclusive { for other in papers[folder] ?? [] { unlink(other, folder) } }
        folders[paper, default: []].append(folder)
        papers[folder, default: []].append(paper)
        sort(for: program)
    }

    private mutating func unlink(_ paper: Int, _ folder: Int) {
        folders[paper]?.removeAll { $0 == folder }
        papers[folder]?.removeAll { $0 == paper }
        folders = folders.filter { !$0.value.isEmpty }
        papers = papers.filter { !$0.value.isEmpty }
    }

    /// Removes all links.
    mutating func clear() { (folders, papers) = ([:], [:]) }

    /// Links without an order are in the order of their keys.
    private mutating func sort(for program: FilingProgram) {
        if !program.ordersFolders { folders = folders.mapValues { $0.sorted() } }
        if !program.ordersPapers { papers = papers.mapValues { $0.sorted() } }
    }

    /// Returns the links under another declaration; nil if an entity has too many links for it.
    func migrated(from old: FilingProgram, to new: FilingProgram) -> FilingModel? {
        if new.isPaperExclusive, folders.values.contains(where: { $0.count > 1 }) { return nil }
        if new.isFolderExclusive, papers.values.contains(where: { $0.count > 1 }) { return nil }
        var model = self
        model.sort(for: old)
        model.sort(for: new)
        return model
    }
}
