// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

/// `scripts/test` sets the variable. A warning of a newer compiler does not stop programs that only use the package.
let warnings: [SwiftSetting] =
    Context.environment["TROVE_WARNINGS_ARE_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]
let strict: [SwiftSetting] = [.strictMemorySafety()] + warnings
/// The settings of a new app in Xcode: its declarations belong to the main actor by default.
let app: [SwiftSetting] =
    [.defaultIsolation(MainActor.self)]
    + [
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ExistentialAny", "MemberImportVisibility",
        "InternalImportsByDefault",
    ].map { .enableUpcomingFeature($0) }
/// Whether the macros come from a plugin that `scripts/plugin` has built, and from no target of this package: a release
/// build would compile swift-syntax with optimization, for many minutes.
let hasPlugin = Context.environment["TROVE_MACRO_PLUGIN"] != nil
let macros: [Target.Dependency] = hasPlugin ? [] : ["TroveMacros"]
/// Whether liblmdb is compiled from source, into symbols of its own. A Mac does so for all of Apple's systems; only
/// macOS can have a library of the system. On Linux the package with the sources is not even declared.
///
/// No trait can decide it. A package may name other traits in place of the defaults, and Trove must have an engine
/// without any trait. What is linked without a trait is linked with each, and the symbols of that package would take
/// the place of the system's.
#if os(macOS)
let isBuiltFromSource = Context.environment["TROVE_LMDB_SYSTEM"] == nil
#else
let isBuiltFromSource = Context.environment["TROVE_LMDB_SOURCE"] != nil
#endif
/// The settings for Apple's systems, elsewhere: for tests.
let engineSettings: [CSetting] =
    Context.environment["TROVE_LMDB_SOURCE"] == "apple" ? [.define("TROVE_IS_APPLE", to: "1")] : []
let engineSources: [Package.Dependency] =
    isBuiltFromSource ? [.package(url: "https://github.com/ordo-one/swift-lmdb", exact: "1.2.0")] : []
/// The module is named alike in both.
let engine: Target =
    isBuiltFromSource
    ? .target(
        name: "CTroveLMDB", dependencies: [.product(name: "CLMDB", package: "swift-lmdb")],
        path: "Sources/CTroveLMDB/Source", cSettings: engineSettings)
    : .systemLibrary(
        name: "CTroveLMDB", path: "Sources/CTroveLMDB/System", pkgConfig: "lmdb",
        providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])])
let testSupport: Target.Dependency = "TroveTestSupport"
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"]))
/// Apple's systems have CryptoKit, which is the same.
let crypto: Target.Dependency = .product(
    name: "Crypto", package: "swift-crypto",
    condition: .when(platforms: [.linux, .android, .windows, .openbsd, .wasi], traits: ["Encryption"]))
/// Whether the inspector is a part of the package. The variables below are for parts of the package without it.
let hasInspector =
    ["TROVE_MACRO_TESTS", "TROVE_RANDOM_TESTS", "TROVE_ENGINE_TESTS"].allSatisfy { Context.environment[$0] == nil }
let inspector: [Target.Dependency] =
    hasInspector ? [.target(name: "TroveInspector", condition: .when(traits: ["Inspector"]))] : []

let package = Package(
    name: "Trove",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Trove", targets: ["Trove"]),
        .library(name: "TroveSpellings", targets: ["TroveSpellings"]),
        .library(name: "TroveStemming", targets: ["TroveStemming"]),
        .library(name: "TroveCrypto", targets: ["TroveCrypto"]),
        .library(name: "TroveSQL", targets: ["TroveSQL"]),
        .library(name: "LMDB", targets: ["LMDB"]),
        .executable(name: "trove", targets: ["TroveCLI"]),
    ],
    traits: [
        .trait(name: "CommandLine", description: "The command `trove`, which needs swift-argument-parser."),
        .trait(
            name: "Encryption",
            description: "The product TroveCrypto on systems without CryptoKit, where it needs swift-crypto."),
        .trait(
            name: "Inspector",
            description: "The product TroveInspector and the subcommand `trove inspect`, which need Hummingbird."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        engine,
        .target(name: "CTroveShims"),
        .target(name: "LMDB", dependencies: ["CTroveLMDB", "CTroveShims"], swiftSettings: strict),
        .target(name: "TroveCoding", swiftSettings: strict),
        .target(name: "CUnicodeData", exclude: ["UNICODE-LICENSE.txt"]),
        .target(name: "TroveText", dependencies: ["CUnicodeData"], swiftSettings: strict),
        // Without a file for pkg-config. Only what uses the product TroveStemming or the command needs it.
        .systemLibrary(name: "CStemmer", providers: [.apt(["libstemmer-dev"]), .brew(["snowball"])]),
        .target(name: "TroveStemming", dependencies: ["CStemmer", "TroveText"], swiftSettings: strict),
        .target(
            name: "Trove",
            dependencies: [
                "LMDB", "TroveCoding", "TroveText", .product(name: "Logging", package: "swift-log"),
            ] + macros, swiftSettings: strict),
        .target(name: "TroveSpellings", dependencies: ["Trove"], swiftSettings: strict),
        .target(name: "TroveCrypto", dependencies: ["Trove", crypto], swiftSettings: strict),
        // Only what uses the product TroveSQL or the command needs SQLite.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(
            name: "TroveSQL", dependencies: ["CSQLite", "Trove", "LMDB", "TroveCoding", "TroveTerminal"],
            swiftSettings: strict),
        .testTarget(
            name: "TroveSQLTests", dependencies: ["TroveSQL", "CSQLite", "Trove", "TroveCoding", testSupport],
            swiftSettings: strict),
        .target(name: "TroveTerminal", swiftSettings: strict),
        .executableTarget(
            name: "TroveCLI",
            dependencies: [
                "Trove", "LMDB", "TroveTerminal", argumentParser,
                .target(name: "TroveStemming", condition: .when(traits: ["CommandLine"])),
                .target(name: "TroveSQL", condition: .when(traits: ["CommandLine"])),
            ] + inspector, swiftSettings: strict),

        .target(name: "TroveTestSupport", path: "Tests/TroveTestSupport", swiftSettings: strict),
        .target(
            name: "TroveCodingSamples", dependencies: ["TroveCoding", testSupport], path: "Tests/TroveCodingSamples",
            swiftSettings: strict),
        .testTarget(
            name: "TroveCodingTests", dependencies: ["TroveCoding", "TroveCodingSamples", testSupport],
            swiftSettings: strict),
        .testTarget(
            name: "TroveTextTests", dependencies: ["TroveText", testSupport], exclude: ["Unicode"],
            swiftSettings: strict),
        .testTarget(
            name: "TroveStemmingTests", dependencies: ["TroveStemming", "TroveText", "Trove", testSupport],
            swiftSettings: strict),
        .testTarget(
            name: "TroveCryptoTests", dependencies: ["TroveCrypto", "Trove", testSupport], swiftSettings: strict),
        .executableTarget(
            name: "LMDBTestWorker", dependencies: ["LMDB", testSupport], path: "Tests/LMDBTestWorker",
            swiftSettings: strict),
        .testTarget(
            name: "LMDBTests", dependencies: ["LMDB", "CTroveLMDB", testSupport, "LMDBTestWorker"],
            exclude: ["Samples"],
            swiftSettings: strict),
        .executableTarget(
            name: "TroveStoreWorker", dependencies: ["Trove"], path: "Tests/TroveStoreWorker", swiftSettings: strict),
        .testTarget(
            name: "TroveTests",
            dependencies: [
                "Trove", "TroveSpellings", "LMDB", testSupport, "TroveStoreWorker",
                .product(name: "Logging", package: "swift-log"),
            ], exclude: ["Samples"], swiftSettings: strict),
        .testTarget(name: "MainActorTests", dependencies: ["Trove", testSupport], swiftSettings: strict + app),
        .testTarget(name: "ComingFromTests", dependencies: ["Trove", "TroveSpellings"], swiftSettings: strict),
        .testTarget(
            name: "TroveCLITests",
            dependencies: ["TroveCLI", "TroveStemming", "TroveTerminal", "Trove", "LMDB", testSupport],
            swiftSettings: strict),
        .executableTarget(
            name: "DamageWorker", dependencies: ["Trove"], path: "Tests/DamageWorker", swiftSettings: strict),
        .testTarget(name: "DamageTests", dependencies: ["DamageWorker", testSupport], swiftSettings: strict),
        .target(
            name: "FuzzTargets",
            dependencies: ["Trove", "LMDB", "TroveCoding", "TroveCodingSamples", testSupport],
            path: "Tests/Fuzzing/Targets", swiftSettings: strict),
        .testTarget(
            name: "FuzzCorpusTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/CorpusTests",
            swiftSettings: strict),
        .executableTarget(
            name: "TwinProgram",
            dependencies: ["Trove", "TroveCoding", "TroveText", "TroveCodingSamples", testSupport],
            path: "Tests/TwinProgram", swiftSettings: strict),
        .executableTarget(
            name: "DocumentationSamples", path: "Tests/DocumentationSamples", swiftSettings: strict),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "DocumentationSamples", "Trove", "TroveSpellings", "TroveStemming", "TroveCrypto", "TroveSQL", "LMDB",
            ],
            swiftSettings: strict),
    ]
)

package.dependencies += engineSources

if hasInspector {
    package.products.append(.library(name: "TroveInspector", targets: ["TroveInspector"]))
    package.dependencies += [
        // Without its traits, which need more packages.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ]
    package.targets += [
        .target(
            name: "TroveInspector",
            dependencies: [
                "Trove", "TroveCoding", "TroveTerminal", "LMDB",
                .target(name: "TroveSQL", condition: .when(traits: ["Inspector"])),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Inspector"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Inspector"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Inspector"])),
            ], swiftSettings: strict),
        .testTarget(
            name: "TroveInspectorTests",
            dependencies: [
                "TroveInspector", "Trove", "LMDB", testSupport,
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Inspector"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Inspector"])),
            ], swiftSettings: strict),
    ]
}

if !hasPlugin {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"))
    package.targets += [
        .target(
            name: "TroveMacroExpansion",
            dependencies: [.product(name: "SwiftSyntaxMacros", package: "swift-syntax")], swiftSettings: strict),
        .macro(
            name: "TroveMacros",
            dependencies: [
                "TroveMacroExpansion", .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
            ], swiftSettings: strict),
    ]
}

#if os(Linux)
// They put a library in front of the system's, and look into `/proc`.
package.targets += [
    .executableTarget(
        name: "TroveCrashWorker", dependencies: ["Trove", "LMDB", testSupport], path: "Tests/TroveCrashWorker",
        swiftSettings: strict),
    .testTarget(
        name: "CrashTests", dependencies: ["Trove", "LMDB", "TroveCoding", testSupport, "TroveCrashWorker"],
        exclude: ["Shim"], swiftSettings: strict),
]
// They drive a real browser.
package.targets.append(
    .testTarget(
        name: "TroveInspectorBrowserTests", dependencies: ["TroveCLI", "Trove", testSupport], swiftSettings: strict))
#endif

// The examples are a package of their own, so that an app that depends on Trove does not fetch the dependencies of the
// demos. With the variable they are built here, and Trove is not compiled again for them.
if Context.environment["TROVE_EXAMPLES"] != nil {
    func demo(_ name: String, _ further: Target.Dependency..., hasData: Bool = false) -> Target {
        .executableTarget(
            name: name, dependencies: ["Trove"] + further, path: "Examples/Sources/\(name)",
            resources: hasData ? [.copy("Data")] : [])
    }
    func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
        .testTarget(name: name, dependencies: dependencies, path: "Examples/Tests/\(name)")
    }
    package.dependencies.append(.package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"))
    package.targets += [
        .target(name: "ExampleReport", dependencies: ["Trove"], path: "Examples/Sources/ExampleReport"),
        .target(name: "ExampleTestSupport", dependencies: ["ExampleReport"], path: "Examples/Tests/ExampleTestSupport"),
        demo(
            "FlightsExample", "ExampleReport", "TroveSQL", argumentParser,
            .product(name: "SwiftCSV", package: "SwiftCSV"),
            hasData: true),
        demo("ChatsExample", "ExampleReport", argumentParser, hasData: true),
        demo("LiveExample"),
        tests("FlightsExampleTests", "FlightsExample", "ExampleReport", "ExampleTestSupport", "Trove"),
        tests("ChatsExampleTests", "ChatsExample", "ExampleReport", "ExampleTestSupport", "Trove"),
        tests("LiveExampleTests", "LiveExample"),
    ]
}

// Without CloudKit, its calls are tested beside a stand-in, which these tests import under the name of the module. With
// CloudKit, the tests use the module itself, and the calls of Trove.
#if canImport(CloudKit)
package.targets.append(
    .testTarget(
        name: "CloudKitTests", dependencies: ["Trove", testSupport],
        exclude: ["Library", "StandIn"], swiftSettings: strict))
#else
package.targets += [
    .target(name: "CloudKitStandIn", path: "Tests/CloudKitStandIn", swiftSettings: strict),
    .testTarget(
        name: "CloudKitTests", dependencies: ["Trove", "CloudKitStandIn", testSupport],
        swiftSettings: strict + [.unsafeFlags(["-module-alias", "CloudKit=CloudKitStandIn"])]),
]
#endif

// With the variable, the package is the macros and the tests of their own code. The dependency on the plugin makes all
// of them programs of the compiler's machine, as the plugin is. Beside the other tests, which are programs of the
// target's machine, swift-syntax would be built twice.
if Context.environment["TROVE_MACRO_TESTS"] != nil {
    package.products = []
    package.targets.removeAll { !["TroveMacroExpansion", "TroveMacros"].contains($0.name) }
    package.targets.append(
        .testTarget(
            name: "TroveMacroExpansionTests",
            dependencies: [
                "TroveMacros", "TroveMacroExpansion",
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
            ], swiftSettings: strict))
}

// A release build of all tests takes long. With the variable, those that compare random work with a slow and obvious
// model are built, beside the tests of codings and of texts.
if Context.environment["TROVE_RANDOM_TESTS"] != nil {
    let names = ["TroveTests", "TroveCodingTests", "TroveTextTests", "TroveStoreWorker", "TwinProgram"]
    package.products.removeAll { ["trove", "TroveCrypto", "TroveSQL"].contains($0.name) }
    package.targets.removeAll {
        [.test, .executable].contains($0.type) && !names.contains($0.name)
            || ["TroveCrypto", "TroveSQL", "CSQLite"].contains($0.name)
    }
    package.targets.first { $0.name == "TroveTests" }?.sources = ["Random", "Models"]
}
// With the variable, the package is the module LMDB and its tests, which `scripts/engines` builds with another engine.
if Context.environment["TROVE_ENGINE_TESTS"] != nil {
    let names = ["CTroveLMDB", "CTroveShims", "LMDB", "TroveTestSupport", "LMDBTestWorker", "LMDBTests"]
    package.products.removeAll { $0.name != "LMDB" }
    package.dependencies = engineSources
    package.targets.removeAll { !names.contains($0.name) }
}
// In release the optimizer builds the library, and the tests of random work, as it builds the programs of users. It
// would take an hour for all other tests, which have thousands of `#expect`: they are compiled without it. For a whole
// module, the time of the compiler grows faster than the number of macros, so that tests are compiled in batches of
// files.
let optimizesTests = Context.environment["TROVE_RANDOM_TESTS"] != nil
for target in package.targets where target.type == .test {
    let flags = ["-no-whole-module-optimization", "-enable-batch-mode"] + (optimizesTests ? [] : ["-Onone"])
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .release))]
}
