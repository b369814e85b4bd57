import java.util.HashSet;
import java.util.Scanner;
import java.util.Set;

/** A brain that plays from the first row on, and raises an error in its fourth move. */
public class Failing {
    private static final Set<String> TAKEN = new HashSet<>();
    private static int size = 15;
    private static int moves = 0;

    private static void think() {
        moves++;
        int[] cells = new int[moves < 4 ? size * size : 0];
        int cell = 0;
        while (cells[cell] == 0 && TAKEN.contains(cell % size + "," + cell / size)) cell++;
        TAKEN.add(cell % size + "," + cell / size);
        System.out.println(cell % size + "," + cell / size);
    }

    public static void main(String[] arguments) {
        Scanner lines = new Scanner(System.in);
        boolean inBoard = false;
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().trim().split(" ");
            String command = words[0];
            if (inBoard && !command.equals("DONE")) {
                TAKEN.add(command.substring(0, command.lastIndexOf(',')));
                continue;
            }
            inBoard = command.equals("BOARD");
            if (command.equals("START")) size = Integer.parseInt(words[1]);
            if (command.equals("START") || command.equals("RESTART")) {
                TAKEN.clear();
                moves = 0;
                System.out.println("OK");
            }
            if (command.equals("ABOUT")) System.out.println("name=\"failing\", version=\"1\"");
            if (command.equals("TURN")) TAKEN.add(words[1]);
            if (command.matches("BEGIN|TURN|DONE")) think();
            if (command.equals("END")) return;
        }
    }
}
