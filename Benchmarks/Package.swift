// swift-tools-version: 6.2
// A package of its own, so that no package that depends on Trove fetches GRDB.
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Trove", path: "..", traits: ["Encryption"]),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: [
        .target(name: "CAllocationCounter"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CAllocationCounter",
                .product(name: "Trove", package: "Trove"),
                // For liblmdb itself: its module map, and the CRC32C that Trove computes.
                .product(name: "LMDB", package: "Trove"),
                .product(name: "TroveSQL", package: "Trove"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
            ]),
        // A program of its own, so that the other benchmarks do not build swift-crypto.
        .executableTarget(
            name: "SealingBenchmark",
            dependencies: [
                .product(name: "Trove", package: "Trove"), .product(name: "TroveCrypto", package: "Trove"),
            ]),
    ]
)
