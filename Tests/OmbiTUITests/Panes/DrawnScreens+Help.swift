/// The help, and the first screen on a terminal without symbols.
extension DrawnScreens {
    static let helpWide = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ╭┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ││ Response                                                  2                Go to the request                       ││
        ││ ] Enter          Go to the next tab                       3                Go to the response                      ││
        ││ [                Go to the previous tab                   z                Toggle full screen for this pane        ││
        ││ Left h           Scroll left                              Alt+Left         Move the divider left                   ││
        ││ Right l          Scroll right                             Alt+Right        Move the divider right                  ││
        ││ Y                Choose what to copy                      Alt+Up           Move the divider up                     ││
        ││                                                           Alt+Down         Move the divider down                   ││
        ││ Lists and bodies                                          y                Copy what is under the cursor           ││
        ││ Up k             Move up                                  Ctrl+L           Redraw the screen                       ││
        ││ Down j           Move down                                Ctrl+Z           Suspend Ombi (fg resumes it)            ││
        ││ PageUp           Move a page up                           Esc              Leave full screen                       │┪
        ││ PageDown Space   Move a page down                         : Ctrl+P         Find a command, a request or an         │┃
        ││ Ctrl+U           Move half a page up                                       environment                             │┃
        ││ Ctrl+D           Move half a page down                    L                Show the message log                    │┃
        ││ g Home           Go to the top                            F1               Open the manual                         │┃
        ││ G End            Go to the end                            ?                Show this help                          │┃
        ││                                                           q Ctrl+C         Quit, after a question about unsaved    │┃
        ││ Everywhere                                                                 edits                                   │┃
        ││ s F5             Send the request                                                                                  │┃
        ││ x                Cancel the run                           Symbols                                                  │┃
        ││ r                Retry now: end the wait or the attempt   ●                Has unsaved edits                       │┃
        ││ +                Allow one more attempt                   ✓                Succeeded; valid; sent                  │┃
        ││ E                Switch the environment                   ✗                Failed; invalid; unreadable             │┃
        ││ w                Save the collection                      ·                Switched off: not sent                  │┃
        ││ u                Undo the last edit of the collection     ↻                Running; in the header: how many run    │┃
        ││ U Ctrl+R         Redo the edit undone last                ↑                Inherited; in a frame: more above       │┃
        ││ Tab              Go to the next pane                      ↓                More below                              │┃
        ││ Shift+Tab        Go to the previous pane                  ▾ ▸              Open, closed; in the header: a choice   │┃
        ││ 1                Go to the requests                       →                Redirected to                           │┃
        │└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘┃
        ╰──────────────────────────── 3/5 ─┺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         / search  PageDown more  Esc close
        """

    static let helpSearch = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┏┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ┃│ /copy                                                                                                              ││
        ┃│                                                                                                                    ││
        ┃│ Requests                                                  Alt+c            Copy the selection, or the line         ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    ││
        ┃│ Everywhere                                                                                                         ││
        ┃│ y                Copy what is under the cursor                                                                     ││
        ┃│                                                                                                                    ││
        ┃│ Request                                                                                                            ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    │┤
        ┃│ Response                                                                                                           ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    ││
        ┃│ Body                                                                                                               ││
        ┃│ y                Copy the value or line under the                                                                  ││
        ┃│                  cursor                                                                                            ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│ Alt+y            Copy the whole body                                                                               ││
        ┃│ C                Copy the path of the value under the                                                              ││
        ┃│                  cursor                                                                                            ││
        ┃│                                                                                                                    ││
        ┃│ Selected rows                                                                                                      ││
        ┃│ y                Copy the selected rows                                                                            ││
        ┃│                                                                                                                    ││
        ┃│ Editing a field                                                                                                    ││
        ┃│ Alt+c            Copy the selection, or the line                                                                   ││
        ┃│                                                                                                                    ││
        ┃│ Editing a body                                                                                                     ││
        ┃└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘│
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┹───────────────────────────────────────────────────────────────────────────────────╯
         Enter keep  Esc all keys
        """

    static let ascii = """
         demo > users > list users                              local v  127.0.0.1:8765
        + 1 Requests ==================================================================+
        | v demo                                                                     3 |
        |  v users                                                                   3 |
        |    GET   list users                                                          |
        |    GET   user by id                                                          |
        |    POST  create user                                                         |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        +======================================================================== 3/5 =+
         s send  Enter open  / search  a add  R rename  : commands  ? help  q quit
        """
}
