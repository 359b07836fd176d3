// swift-tools-version: 6.2
import CompilerPluginSupport
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

/// A product of swift-syntax, used only with the trait Macros.
func syntax(_ name: String) -> Target.Dependency {
    .product(name: name, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

/// Returns the target of an example.
///
/// An example sees what an app sees: the public API, and nothing that is shared inside the package.
func example(
    _ name: String, dependencies: [Target.Dependency] = [], resources: [Resource] = [],
    exclude: [String] = []
) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["RecordStack"] + dependencies,
        path: "Examples/\(name)",
        exclude: exclude,
        resources: resources,
        packageAccess: false,
        swiftSettings: settings
    )
}

let package = Package(
    name: "RecordStack",
    platforms: [.macOS(.v15)],
    products: [
        .library(
            name: "RecordStack",
            targets: [
                "RecordStack", "RecordStackModel", "RecordStackSQLite", "RecordStackGraph",
                "RecordStackImport",
            ]
        ),
        .library(name: "RecordStackTesting", targets: ["RecordStackTesting"]),
        .plugin(name: "WriteEntities", targets: ["WriteEntities"]),
    ],
    traits: [
        .trait(name: "Macros", description: "@Entity, @Attribute and @Relationship."),
        .trait(
            name: "PortablePlatform",
            description: "For tests: the calls of the system that every platform has."),
        .default(enabledTraits: ["Macros"]),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        // Only for examples: a package that depends on RecordStack does not build it.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        // All calls of the operating system, so that the other targets do not depend on a system.
        .target(name: "RecordStackPlatform", swiftSettings: settings),
        .target(
            name: "RecordStackModel", dependencies: ["RecordStackPlatform"],
            swiftSettings: settings),
        .target(
            name: "RecordStackSQLite",
            dependencies: ["CSQLite", "RecordStackModel", "RecordStackPlatform"],
            swiftSettings: settings),
        .target(
            name: "RecordStackChanges", dependencies: ["RecordStackModel"], swiftSettings: settings),
        .target(
            name: "RecordStackGraph",
            dependencies: ["RecordStackModel", "RecordStackChanges", "RecordStackPlatform"],
            swiftSettings: settings),
        .target(
            name: "RecordStackImport",
            dependencies: ["RecordStackModel", "RecordStackGraph", "RecordStackPlatform"],
            swiftSettings: settings),
        .target(
            name: "RecordStack",
            dependencies: [
                "RecordStackModel", "RecordStackSQLite", "RecordStackGraph", "RecordStackImport",
                .target(name: "RecordStackMacros", condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: settings),
        .macro(
            name: "RecordStackMacros",
            dependencies: [
                syntax("SwiftSyntax"), syntax("SwiftSyntaxBuilder"), syntax("SwiftSyntaxMacros"),
                syntax("SwiftDiagnostics"), syntax("SwiftParser"), syntax("SwiftCompilerPlugin"),
                syntax("SwiftSyntaxMacroExpansion"),
            ],
            swiftSettings: settings),
        // Runs the macros' program, so that swift-syntax is built once. SwiftPM also has prebuilt
        // modules of swift-syntax for macros only.
        .executableTarget(
            name: "EntityWriter",
            dependencies: [
                .target(name: "RecordStackMacros", condition: .when(traits: ["Macros"]))
            ],
            swiftSettings: settings),
        .plugin(
            name: "WriteEntities",
            capability: .command(
                intent: .custom(
                    verb: "write-entities",
                    description: "Expands the macros of entities, for builds without them."),
                permissions: [
                    .writeToPackageDirectory(reason: "It writes the expanded entities.")
                ]),
            dependencies: ["EntityWriter"],
            path: "Sources/WriteEntities"),
        .target(
            name: "RecordStackTesting",
            dependencies: [
                "RecordStack", "RecordStackModel", "RecordStackSQLite", "RecordStackGraph",
                "RecordStackImport",
            ],
            swiftSettings: settings),
        example("Library"),
        example("ManyContexts"),
        example("QuickStart", resources: [.process("people.json")]),
        example("Sync"),
        example(
            "Earthquakes",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            exclude: ["sample.json"]),
        example(
            "Movies",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            resources: [.process("movies.json")]),
        .testTarget(
            name: "RecordStackChangesTests",
            dependencies: ["RecordStackModel", "RecordStackChanges", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "RecordStackImportTests",
            dependencies: [
                "RecordStack", "RecordStackModel", "RecordStackImport", "RecordStackTesting",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "RecordStackTestingTests",
            dependencies: ["RecordStack", "RecordStackTesting", "TestSupport"],
            exclude: ["Data"],
            swiftSettings: settings),
        .testTarget(
            name: "RecordStackCompileTests",
            dependencies: ["EntityWriter", "RecordStack", "TestSupport"],
            swiftSettings: settings),
        // Code that the test targets share, and the package's programs that tests start.
        .target(
            name: "TestSupport", dependencies: ["CSQLite", "FaultVFS", "RecordStackModel"],
            path: "Tests/TestSupport", swiftSettings: settings),
        .target(
            name: "SaveLoopLedger", dependencies: ["RecordStack", "RecordStackModel"],
            path: "Tests/Programs/Ledger", swiftSettings: settings),
        .executableTarget(
            name: "SaveLoop",
            dependencies: ["RecordStack", "SaveLoopLedger", "TestSupport", "MutexAnnotations"],
            path: "Tests/Programs/SaveLoop", swiftSettings: settings),
        .target(
            name: "CounterFile", dependencies: ["RecordStack", "RecordStackModel"],
            path: "Tests/Programs/Counters", swiftSettings: settings),
        .executableTarget(
            name: "CountLoop",
            dependencies: ["RecordStack", "RecordStackModel", "CounterFile", "MutexAnnotations"],
            path: "Tests/Programs/CountLoop", swiftSettings: settings),
        .executableTarget(
            name: "BigImport", dependencies: ["RecordStack", "MutexAnnotations"],
            path: "Tests/Programs/BigImport", swiftSettings: settings),
        .target(
            name: "Invariants", dependencies: ["RecordStack", "RecordStackModel"],
            path: "Tests/Programs/Invariants", swiftSettings: settings),
        .executableTarget(
            name: "InvariantLoop", dependencies: ["RecordStack", "Invariants", "MutexAnnotations"],
            path: "Tests/Programs/InvariantLoop", swiftSettings: settings),
        .executableTarget(
            name: "HeapLoops", dependencies: ["RecordStack", "HeapUse"],
            path: "Tests/Programs/HeapLoops", swiftSettings: settings),
        .executableTarget(
            name: "PendingHeap", dependencies: ["RecordStack", "HeapUse"],
            path: "Tests/Programs/PendingHeap", swiftSettings: settings),
        // Prints the public declarations, for the comparison in .ci/api.
        .executableTarget(
            name: "APIDump", path: "Tests/Programs/APIDump", swiftSettings: settings),
        .executableTarget(
            name: "SynchronousMain", dependencies: ["RecordStack", "MutexAnnotations"],
            path: "Tests/Programs/SynchronousMain", packageAccess: false, swiftSettings: settings),
        // Code that the compiler refuses in Swift 6 mode.
        .executableTarget(
            name: "SwiftFiveClient", dependencies: ["RecordStack", "MutexAnnotations"],
            path: "Tests/Programs/SwiftFiveClient", packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "RecordStackFaultTests",
            dependencies: [
                "CSQLite", "RecordStack", "RecordStackModel", "RecordStackSQLite", "SaveLoopLedger",
                "CounterFile", "TestSupport",
            ],
            path: "Tests/Faults", swiftSettings: settings),
        // Tests of contexts, through every form of their calls and under every architecture.
        .testTarget(
            name: "RecordStackContextTests",
            dependencies: [
                "RecordStack", "RecordStackModel", "RecordStackSQLite", "RecordStackGraph",
                "RecordStackTesting", "TestSupport", "Invariants",
            ],
            exclude: [
                "UnitOfWork/Flags/Recorded", "Merging/Recorded",
                "UnitOfWork/ReinsertedRows/Recorded",
            ],
            swiftSettings: settings),
        // Tests that hostile texts, files and hooks do no harm to a program.
        .testTarget(
            name: "RecordStackDoorTests",
            dependencies: [
                "RecordStack", "RecordStackModel", "RecordStackTesting", "TestSupport",
            ],
            swiftSettings: settings),
        // A disk whose calls can be made to fail.
        .target(name: "FaultVFS", dependencies: ["CSQLite"], path: "Tests/FaultVFS"),
        // Watches the SQL of every store that a test opens.
        .target(name: "SuiteTrace", dependencies: ["CSQLite"], path: "Tests/SuiteTrace"),
        // Reads the allocator's statistics, which Swift's module of the C library leaves out.
        .target(name: "HeapUse", path: "Tests/HeapUse"),
        .target(name: "ThreadIdentity", path: "Tests/ThreadIdentity"),
        .target(name: "MutexAnnotations", path: "Tests/MutexAnnotations"),
        // Forks, which Swift cannot do itself.
        .target(name: "Forking", path: "Tests/Forking"),
        .testTarget(
            name: "RecordStackTests",
            dependencies: [
                "RecordStack", "RecordStackTesting", "RecordStackSQLite", "CSQLite", "TestSupport",
                "SuiteTrace", "MutexAnnotations", "ThreadIdentity", "Forking",
            ],
            swiftSettings: settings),
    ]
)
