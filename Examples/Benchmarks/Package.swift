// swift-tools-version: 6.2
import PackageDescription

/// The settings for every Swift target.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let recordStack: Target.Dependency = .product(name: "RecordStack", package: "RecordStack")
/// The system's SQLite, for targets that use its C API.
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The package has a path and a name, so that it builds in a clone with any folder name.
        .package(name: "RecordStack", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                recordStack, sqlite, .product(name: "GRDB", package: "GRDB.swift"), "HeapUse",
                "Players",
            ],
            swiftSettings: settings),
        // Reads the allocator's statistics, whose header Swift's module of the C
        // library leaves out.
        .target(name: "HeapUse"),
        // Entities that the benchmarks use from another module.
        .target(name: "Players", dependencies: [recordStack], swiftSettings: settings),
        // Ends a program. Foundation could do so too, but loading it takes longer than
        // the program runs.
        .target(name: "ProgramEnd"),
        // Opens a store and finds the first object, with RecordStack and by hand.
        .executableTarget(
            name: "FirstObject", dependencies: [recordStack, "ProgramEnd"], swiftSettings: settings),
        .executableTarget(
            name: "FirstObjectFloor", dependencies: [sqlite, "ProgramEnd"], swiftSettings: settings),
    ]
)
