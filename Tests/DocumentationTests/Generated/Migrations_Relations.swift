// The Swift samples of Docs/Migrations.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Migrations.md:371
@EntityModel(keyPrefix: 31)
private struct FirstSong {
    let id: Int
    var title: String
    @Relationship var album: FirstAlbum? = nil
}

// Docs/Migrations.md:378
@EntityModel(keyPrefix: 32)
private struct FirstAlbum {
    let id: Int
}

// Docs/Migrations.md:383
@EntityModel(keyPrefix: 31)
private struct Song {
    let id: String  // a key of another type
    var title: String
    @Renamed("album") @Relationship(inverse: \.songs) var discs: [Disc]?  // another name, to many, and mutual
}

// Docs/Migrations.md:390
@EntityModel(keyPrefix: 32)
private struct Disc {
    let id: Int
    @Relationship(inverse: \.discs) var songs: [Song]?
}

enum Migrations_Relations {
    @Sendable static func run() throws {
        // Docs/Migrations.md:371




        do {
            let store = try Store(path: samplePath("songs.trove"), records: [FirstSong.self])
            try FirstSong(id: 7, title: "Alone", album: .relation(FirstAlbum(id: 1))).save(to: store)
        }
        print(try Store(path: samplePath("songs.trove")).migrationPlan(for: [Song.self, Disc.self]))
        do {
            let store = try Store(path: samplePath("songs.trove"), records: [Song.self])
            try Song(id: "7", title: "Alone", discs: .appending(ids: [2])).save(to: store)  // on the discs 1 and 2
        }
    }
}
