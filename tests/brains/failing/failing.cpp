// A brain that plays from the first row on, and raises an error in its fourth move.
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

static std::set<std::string> taken;
static int size = 15, moves = 0;

static std::string point(int cell) {
    return std::to_string(cell % size) + "," + std::to_string(cell / size);
}

static void think() {
    std::vector<int> cells(++moves < 4 ? size * size : 0);
    int cell = 0;
    while (cells.at(cell) == 0 && taken.count(point(cell))) cell++;
    taken.insert(point(cell));
    std::cout << point(cell) << std::endl;
}

int main() {
    bool in_board = false;
    for (std::string line, command, words; std::getline(std::cin, line);) {
        command.clear();
        std::istringstream(line) >> command >> words;
        if (in_board && command != "DONE") {
            taken.insert(command.substr(0, command.rfind(',')));
            continue;
        }
        in_board = command == "BOARD";
        if (command == "START") size = std::stoi(words);
        if (command == "START" || command == "RESTART") {
            taken.clear();
            moves = 0;
            std::cout << "OK" << std::endl;
        }
        if (command == "ABOUT") std::cout << "name=\"failing\", version=\"1\"" << std::endl;
        if (command == "TURN") taken.insert(words);
        if (command == "BEGIN" || command == "TURN" || command == "DONE") think();
        if (command == "END") return 0;
    }
}
