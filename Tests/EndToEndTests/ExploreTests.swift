import Testing

extension EndToEnd {
    /// What a person does all day: open, look, send, edit, save, leave.
    @Suite struct ExploreTests {
        @Test(arguments: [(80, 24), (120, 34)])
        func `a collection is opened, a request sent, and the answer read`(columns: Int, rows: Int) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let ombi = try scene.explore("shop.json", columns: columns, rows: rows)
                try ombi.see("1 Requests", "▾ shop", "list users", "› list users")
                if columns >= 100 { try ombi.see("Not sent yet") }
                ombi.type("j")
                try ombi.see("› one user")
                ombi.type("s")
                try ombi.see("200 OK", "\"id\": 42,", "\"email\": \"user42@example.com\",")
                // Below 100 columns the response has taken the place of the list.
                if columns < 100 { ombi.type("1") }
                try ombi.seeLine("✓", "one user", "200")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                ombi.expectTerminalRestored()
            }
        }

        @Test func `the screen follows the size of the window, both ways`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json", columns: 120, rows: 34)
                try ombi.see("1 Requests")
                ombi.type("2")
                ombi.terminal.resize(columns: 80, rows: 24)
                try ombi.seeGone("▾ shop")
                try ombi.look {
                    $0.line(22).hasPrefix("╰") && $0.line(23).contains("q quit")
                } orSay: {
                    "24 rows"
                }
                ombi.terminal.resize(columns: 39, rows: 9)
                try ombi.see("40×10 needed")
                ombi.terminal.resize(columns: 130, rows: 40)
                try ombi.see("1 Requests", "› list users")
                try ombi.look {
                    $0.line(38).hasSuffix("╯") && $0.line(39).contains("q quit")
                } orSay: {
                    "40 rows"
                }
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `edits are marked, saved, and leave the rest of the file as it was`() throws {
            try Scene.play { scene in
                let before = Samples.shop(port: 1)
                try scene.write("shop.json", before)
                let ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                ombi.type("2", Keys.enter, "/all", Keys.enter)
                try ombi.see("/users/all", "› list users ●")
                ombi.type("]", Keys.down)
                try ombi.see("X-Trace")
                ombi.type(Keys.enter, Keys.deleteToStart, "two", Keys.enter)
                try ombi.seeLine("X-Trace", "two")
                #expect(try scene.read("shop.json") == before)
                ombi.type("w")
                try ombi.see("Saved shop.json")
                try ombi.seeGone("●")
                let after = try scene.read("shop.json")
                #expect(after.contains("\"path\": \"/users/all\""))
                #expect(after.contains("\"value\": \"two\""))
                for kept in ["\"x-owner\": \"team blue\"", "\"x-colour\": \"teal\"", "1.50", "\"x-why\": \"short\""] {
                    #expect(after.contains(kept))
                }
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                ombi.expectTerminalRestored()
            }
        }

        @Test func `quitting asks when something is not saved, and no writes nothing`() throws {
            try Scene.play { scene in
                let before = Samples.shop(port: 1)
                try scene.write("shop.json", before)
                let ombi = try scene.explore("shop.json", columns: 80, rows: 24)
                try ombi.see("› list users")
                ombi.type("2", Keys.enter, "/all", Keys.enter)
                try ombi.see("●")
                ombi.type("q")
                try ombi.see("Not saved: shop.json", "│ y save and quit   n quit without   Esc back │")
                ombi.type(Keys.escape)
                try ombi.seeGone("Not saved: shop.json")
                ombi.type(Keys.controlC)
                try ombi.see("Not saved: shop.json")
                ombi.type("n")
                #expect(try ombi.waitForExit() == 0)
                ombi.expectTerminalRestored()
                #expect(try scene.read("shop.json") == before)
            }
        }

        @Test func `quitting with yes saves first`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                ombi.type("2", Keys.enter, "/all", Keys.enter, "q")
                try ombi.see("Not saved: shop.json")
                ombi.type("y")
                #expect(try ombi.waitForExit() == 0)
                #expect(try scene.read("shop.json").contains("\"path\": \"/users/all\""))
            }
        }

        @Test func `Esc alone leaves a field, and never the pane`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json", columns: 80, rows: 24)
                try ombi.see("1 Requests")
                ombi.type("2", Keys.enter, "nonsense")
                try ombi.see("/usersnonsense", "Esc cancel")
                ombi.type(Keys.escape)
                try ombi.seeGone("nonsense")
                ombi.type("Z")
                try ombi.see("Z does nothing here")
                ombi.type(Keys.escape)
                try ombi.seeGone("Z does nothing here")
                ombi.type("d")
                try ombi.see("There is nothing to delete in this row")
                ombi.type("1")
                try ombi.see("▾ shop", "list users")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }
    }
}
